import { passwordChange, serviceToken } from '../../../../contracts/accounts/users.ts';
import { stored } from '../../../base/stored.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requirePassword } from './new-password.ts';
import { requireEnabledOperator, tokenOf } from './token-of.ts';

/**
 * Changes the password of the service user that calls (8 to 256 characters). The current one is checked as in O25, limits
 * included. Every token of the user ends; the answer brings a new one. Signing keys stay.
 */
export const changeOwnServicePasswordOperation = defineOperation({
  id: 'service-users.password',
  name: 'Change the password of a service',
  method: 'PUT',
  path: '/v1/auth/service/password',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: passwordChange },
  output: serviceToken,
  refusals: [403, 429],
  async handle({ principal, body, address }, context) {
    const { access } = context;
    requireEnabledOperator(context, principal.subject);
    requirePassword(body.new_password);
    const credentials = { username: principal.subject, password: body.current_password, address };
    const change = stored(() => access.changeServicePassword(credentials, body.new_password));
    return { status: 200, body: { token: await tokenOf(change, address) } };
  },
});

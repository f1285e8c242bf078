import { credentials, serviceToken } from '../../../../contracts/accounts/users.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requireEnabledOperator, tokenOf } from './token-of.ts';

/**
 * O25: a service user's password for a token of 15 minutes. `invalid_credentials`; `owner_disabled` where the operator is;
 * `too_many_attempts` after 10 failures a minute of one pair of name and address.
 */
export const authenticateServiceOperation = defineOperation({
  id: 'O25',
  name: 'Authenticate an external service',
  method: 'POST',
  isRepeatable: true,
  path: '/v1/auth/service',
  surface: 'operator',
  authentication: { kind: 'none' },
  input: { body: credentials },
  output: serviceToken,
  refusals: [401, 403, 429],
  async handle({ body, address }, context) {
    const token = await tokenOf(context.access.loginService({ ...body, address }), address);
    // Who does not know the password learns nothing of the operator.
    requireEnabledOperator(context, body.username);
    return { status: 200, body: { token } };
  },
});

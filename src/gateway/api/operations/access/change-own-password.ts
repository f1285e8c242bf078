import { tokenLifetimeSeconds } from '../../../../access/rights/claims.ts';
import { administratorToken, passwordChange } from '../../../../contracts/accounts/users.ts';
import { stored } from '../../../base/stored.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requirePassword } from './new-password.ts';
import { tokenOf } from './token-of.ts';

/**
 * Changes the caller's password (8 to 256 characters). The current one is checked as in a log-in, limits included.
 * Every token of the account ends; the answer brings a new one.
 */
export const changeOwnPasswordOperation = defineOperation({
  id: 'administrators.password',
  name: 'Change your password',
  method: 'PUT',
  path: '/auth/admin/password',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { body: passwordChange },
  output: administratorToken,
  async handle({ principal, body, address }, { access }) {
    requirePassword(body.new_password);
    const credentials = { username: principal.subject, password: body.current_password, address };
    const change = stored(() => access.changeAdministratorPassword(credentials, body.new_password));
    return { status: 200, body: { token: await tokenOf(change, address), expires_in: tokenLifetimeSeconds } };
  },
});

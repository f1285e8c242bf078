import { tokenLifetimeSeconds } from '../../../../access/rights/claims.ts';
import { administratorToken, credentials } from '../../../../contracts/accounts/users.ts';
import { recordedLogin } from '../../audit/logins.ts';
import { defineOperation } from '../../operation/operation.ts';
import { tokenOf } from './token-of.ts';

/** An administrator's password for a token; `expires_in` in seconds. Refuses as O25 does. */
export const authenticateAdministratorOperation = defineOperation({
  id: 'login',
  name: 'Authenticate an administrator',
  method: 'POST',
  isRepeatable: true,
  path: '/auth/admin',
  surface: 'admin',
  authentication: { kind: 'none' },
  input: { body: credentials },
  output: administratorToken,
  refusals: [401, 429],
  async handle({ body, address }, context) {
    const login = tokenOf(context.access.loginAdministrator({ ...body, address }), address);
    const token = await recordedLogin(login, { username: body.username, address }, context);
    return { status: 200, body: { token, expires_in: tokenLifetimeSeconds } };
  },
});

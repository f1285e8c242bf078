import { tokenLifetimeSeconds } from '../../../access/claims.ts';
import { administratorToken, credentials } from '../../../contracts/access.ts';
import { defineOperation } from '../../operation.ts';
import { tokenOf } from './token-of.ts';

/** An administrator's password for a token; `expires_in` in seconds. Refuses as O25 does. */
export const authenticateAdministrator = defineOperation({
  id: 'login',
  name: 'Authenticate an administrator',
  method: 'POST',
  isRepeatable: true,
  path: '/auth/admin',
  surface: 'admin',
  authentication: { kind: 'none' },
  input: { body: credentials },
  output: administratorToken,
  async handle({ body, address }, { access }) {
    const token = await tokenOf(access.loginAdministrator({ ...body, address }), address);
    return { status: 200, body: { token, expires_in: tokenLifetimeSeconds } };
  },
});

import { tokenLifetimeSeconds } from '../../../access/claims.ts';
import { administratorToken } from '../../../contracts/access.ts';
import { defineOperation } from '../../operation.ts';
import { renewedToken } from './token-of.ts';

/** As for services: another token for an administrator whose token still lives, for at most a day after the log-in. */
export const renewAdministratorToken = defineOperation({
  id: 'administrator-tokens.renew',
  name: 'Renew the token of an administrator',
  method: 'POST',
  path: '/auth/admin/renew',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {},
  output: administratorToken,
  async handle({ headers, address }, { access }) {
    const token = await renewedToken(headers, (shown) => access.renewAdministrator(shown, address));
    return { status: 200, body: { token, expires_in: tokenLifetimeSeconds } };
  },
});

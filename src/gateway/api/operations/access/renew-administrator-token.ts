import { tokenLifetimeSeconds } from '../../../../access/rights/claims.ts';
import { administratorToken } from '../../../../contracts/accounts/users.ts';
import { defineOperation } from '../../operation/operation.ts';
import { renewedToken } from './token-of.ts';

/**
 * A valid administrator's token for a new one, for at most 24 hours after the log-in. The old one stays valid until it
 * expires.
 */
export const renewAdministratorTokenOperation = defineOperation({
  id: 'administrator-tokens.renew',
  name: 'Renew the token of an administrator',
  method: 'POST',
  isRepeatable: true,
  path: '/auth/admin/renew',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {},
  output: administratorToken,
  audited: false,
  async handle({ headers, address }, { access }) {
    const token = await renewedToken(headers, (shown) => access.renewAdministrator(shown, address));
    return { status: 200, body: { token, expires_in: tokenLifetimeSeconds } };
  },
});

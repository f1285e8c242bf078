import * as z from 'zod';
import { system } from '../../../../access/rights/authorize.ts';
import { stored } from '../../../base/stored.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requireAllowed } from '../admin/shared/owner-access.ts';

/**
 * Ends the token with this `jti`, whoever holds it and whether or not it exists. Administrators of the whole system
 * only.
 */
export const revokeTokenOperation = defineOperation({
  id: 'tokens.revoke',
  name: 'Revoke a token',
  method: 'DELETE',
  path: '/config/tokens/{token_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: {
    params: z.strictObject({ token_id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'invalid_identifier') }),
  },
  output: 'empty',
  async handle({ principal, params }, { access }) {
    requireAllowed(principal, 'secure', system, 'forbidden');
    await stored(() => access.revocations.revoke(params.token_id));
    return { status: 204 };
  },
});

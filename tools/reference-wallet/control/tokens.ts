import * as z from 'zod';
import { foreignIdField } from '../../../src/contracts/fields/identifier-fields.ts';
import { maxControlEntries } from '../wallet/limits.ts';
import type { WalletOperation } from '../wallet/operation.ts';
import { invalid, refused } from '../wallet/refusals.ts';
import { brandPathField } from './accounts.ts';

const token = z.string().min(1).max(4096);

const tokens = z
  .array(
    z.strictObject({
      brand_id: brandPathField,
      player_id: foreignIdField,
      token,
      /** Milliseconds since the epoch; without it the token does not expire. */
      expires: z.int().min(0).nullish(),
    }),
  )
  .max(maxControlEntries);

/** Gives players their tokens; one that was taken back holds again. */
export const issueTokens: WalletOperation = {
  method: 'POST',
  path: '/control/tokens',
  changes: true,
  handle({ body }, { database: { accounts } }) {
    const parsed = tokens.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const isMissing = (one: (typeof parsed.data)[number]) =>
      accounts.find(one.brand_id, one.player_id) === undefined;
    if (parsed.data.some(isMissing)) return refused('player_not_found');
    for (const one of parsed.data)
      accounts.putToken(one.brand_id, one.player_id, one.token, one.expires ?? null);
    return { status: 204 };
  },
};

const revocation = z.strictObject({ tokens: z.array(token).max(maxControlEntries) });

/** Takes tokens back. */
export const revokeTokens: WalletOperation = {
  method: 'POST',
  path: '/control/tokens/revoke',
  changes: true,
  handle({ body }, { database: { accounts } }) {
    const parsed = revocation.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const revoked = parsed.data.tokens.map((one) => accounts.revokeToken(one));
    return revoked.every(Boolean) ? { status: 204 } : refused('token_not_found');
  },
};

import * as z from 'zod';
import { brandField, foreignIdField, ownIdField } from '../../../src/contracts/fields/identifier-fields.ts';
import { brandPath, operatorOf } from '../../../src/contracts/fields/identifiers.ts';
import { formatAmount } from '../../../src/lib/money.ts';
import type { WalletToken } from '../database/accounts.ts';
import type { WalletOperation } from '../wallet/operation.ts';
import { invalid, type RefusalCode, refused } from '../wallet/refusals.ts';

/** The body of W1. Fields that it does not name are ignored: the interface may grow. */
const input = z.object({
  operator_id: ownIdField,
  /** The brand path, or the bare brand. */
  brand_id: brandField,
  player_token: z.string().min(1).max(4096),
  source_id: foreignIdField.nullish(),
  currency: z.string().min(1).max(16),
});

/**
 * W1: whose token it is. The currency is always the player's own; the caller compares it with the currency of
 * the game.
 */
export const authenticate: WalletOperation = {
  number: 'W1',
  method: 'POST',
  path: '/authenticate',
  changes: true,
  handle({ body, brand: scope }, { database, nowMs }) {
    const parsed = input.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { operator_id, brand_id, player_token, source_id, currency } = parsed.data;
    const brand = brand_id.includes(':') ? brand_id : brandPath(operator_id, brand_id);
    const token = database.accounts.findToken(player_token);
    if (token === undefined || (scope !== null && scope !== brand)) return refused('token_invalid');
    const fault = faultOf(token, operator_id, brand, nowMs());
    if (fault !== null) return refused(fault);
    database.accounts.touchSession(player_token, currency, source_id ?? null, nowMs());
    return { status: 200, body: playerView(token, player_token) };
  },
};

function playerView({ player }: WalletToken, token: string) {
  return {
    id: player.player,
    token,
    currency: player.currency,
    balance: player.balanceAtoms,
    operator_id: operatorOf(player.brand),
    brand_id: player.brand,
    nickname: player.nickname,
    gender: player.gender,
    country: player.country,
    date_of_birth: player.dateOfBirth,
    max_bet: player.maxBetAtoms === null ? undefined : formatAmount(player.maxBetAtoms),
    jurisdiction: player.jurisdiction,
    segments: player.segments,
  };
}

/** A token is worth nothing to another brand than its player's. */
function faultOf(
  { player, revoked, expiresMs }: WalletToken,
  operator: string,
  brand: string,
  nowMs: number,
): RefusalCode | null {
  if (player.brand !== brand || operatorOf(brand) !== operator) return 'token_invalid';
  if (revoked) return 'token_revoked';
  return expiresMs !== null && expiresMs <= nowMs ? 'token_expired' : null;
}

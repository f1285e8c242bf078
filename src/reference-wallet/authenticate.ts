import * as z from 'zod';
import { brandField, foreignIdField, ownIdField } from '../contracts/identifier-fields.ts';
import { brandPath, operatorOf } from '../contracts/identifiers.ts';
import { formatAmount } from '../lib/money.ts';
import type { WalletToken } from './database.ts';
import type { WalletContext, WalletRefusal, WalletReply } from './operations.ts';
import { invalid } from './refusals.ts';

/** The body of W1. */
const input = z.strictObject({
  operator_id: ownIdField,
  /** The brand path, or the bare brand. */
  brand_id: brandField,
  player_token: z.string().min(1).max(4096),
  source_id: foreignIdField.nullish(),
  currency: z.string().min(1).max(16),
});

/**
 * W1: whose token it is. The currency is always the player's own: whether it is the one of the game, the caller compares.
 */
export function authenticate(body: unknown, { database, nowMs }: WalletContext): WalletReply {
  const parsed = input.safeParse(body);
  if (!parsed.success) return invalid(parsed.error);
  const { operator_id, brand_id, player_token, source_id, currency } = parsed.data;
  const brand = brand_id.includes(':') ? brand_id : brandPath(operator_id, brand_id);
  const token = database.findToken(player_token);
  const fault = faultOf(token, brand, nowMs());
  if (token === undefined || fault !== null) return fault ?? unknownToken;
  database.touchSession(player_token, currency, source_id ?? null, nowMs());
  const { player } = token;
  return {
    status: 200,
    body: {
      id: player.player,
      token: player_token,
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
    },
  };
}

const unknownToken: WalletRefusal = {
  status: 422,
  code: 'token_invalid',
  message: 'The player token is not known.',
};

/** A token is worth nothing to another brand than its player's. */
function faultOf(token: WalletToken | undefined, brand: string, nowMs: number): WalletRefusal | null {
  if (token === undefined || token.player.brand !== brand) return unknownToken;
  if (token.revoked)
    return { status: 422, code: 'token_revoked', message: 'The player token has been taken back.' };
  if (token.expiresMs !== null && token.expiresMs <= nowMs)
    return { status: 422, code: 'token_expired', message: 'The player token has expired.' };
  return null;
}

import * as z from 'zod';
import { amountField, readAmount } from '../contracts/amount.ts';
import { foreignIdField } from '../contracts/identifier-fields.ts';
import { isBrandPath } from '../contracts/identifiers.ts';
import type { WalletContext, WalletReply } from './operations.ts';
import { invalid, refused } from './refusals.ts';

/** Entries of one call. */
const maxEntries = 1_000;
const brand = z.string().refine(isBrandPath);
const token = z.string().min(1).max(4096);
const text = z.string().max(256);

const players = z
  .array(
    z.strictObject({
      brand_id: brand,
      player_id: foreignIdField,
      currency: z.string().min(1).max(16),
      balance: amountField.optional(),
      nickname: text.optional(),
      gender: text.optional(),
      country: text.optional(),
      date_of_birth: text.optional(),
      max_bet: amountField.nullish(),
      jurisdiction: text.optional(),
      segments: z.array(foreignIdField).max(256).optional(),
    }),
  )
  .max(maxEntries);

/** What a new player has, in units of the player's currency. */
const openingBalance = '1000';

/** PUT /control/players: makes or changes players. The balance counts for a new one only. */
export function putPlayers(body: unknown, { database }: WalletContext): WalletReply {
  const parsed = players.safeParse(body);
  if (!parsed.success) return invalid(parsed.error);
  for (const one of parsed.data) {
    const balance = readAmount(one.balance ?? openingBalance);
    const maxBet = one.max_bet === null || one.max_bet === undefined ? null : readAmount(one.max_bet);
    if (!balance.ok || maxBet?.ok === false) return refused(422, 'amount_out_of_range');
    database.putPlayer({
      brand: one.brand_id,
      player: one.player_id,
      currency: one.currency,
      balanceAtoms: balance.atoms,
      nickname: one.nickname ?? one.player_id,
      gender: one.gender ?? '',
      country: one.country ?? '',
      dateOfBirth: one.date_of_birth ?? '',
      maxBetAtoms: maxBet?.atoms ?? null,
      jurisdiction: one.jurisdiction ?? '',
      segments: one.segments ?? [],
    });
  }
  return { status: 204 };
}

const tokens = z
  .array(
    z.strictObject({
      brand_id: brand,
      player_id: foreignIdField,
      token,
      /** Milliseconds since the epoch; without it the token does not expire. */
      expires: z.int().min(0).nullish(),
    }),
  )
  .max(maxEntries);

/** POST /control/tokens: gives players their tokens; one that was taken back holds again. */
export function issueTokens(body: unknown, { database }: WalletContext): WalletReply {
  const parsed = tokens.safeParse(body);
  if (!parsed.success) return invalid(parsed.error);
  for (const one of parsed.data) {
    if (!database.putToken(one.brand_id, one.player_id, one.token, one.expires ?? null))
      return refused(404, 'player_not_found');
  }
  return { status: 204 };
}

const revocation = z.strictObject({ tokens: z.array(token).max(maxEntries) });

/** POST /control/tokens/revoke */
export function revokeTokens(body: unknown, { database }: WalletContext): WalletReply {
  const parsed = revocation.safeParse(body);
  if (!parsed.success) return invalid(parsed.error);
  const revoked = parsed.data.tokens.map((one) => database.revokeToken(one));
  return revoked.every(Boolean) ? { status: 204 } : refused(404, 'token_not_found');
}

import * as z from 'zod';
import type { WinnerRecord } from '../../messages/records.ts';
import { ownIdField } from '../fields/identifier-fields.ts';
import { playerCriteria, targetField } from './opt-in.ts';

/** The limit of queries of winners: absent 50, 0 for none, at most 500 (docs/rules/http.md "Lists"). */
const defaultWinners = 50;

/** The limit in a query. */
export const winnersInQuery = z
  .string()
  .regex(/^(?:0|[1-9][0-9]?|[1-4][0-9]{2}|500)$/)
  .transform(Number)
  .optional();

/** O17, O19. */
export const winnersV2Body = z.strictObject({
  operator_id: ownIdField,
  target: targetField,
  player: playerCriteria,
  limit: z.int().min(0).max(500).nullish(),
  winners_for_player_brand: z.boolean().nullish(),
});
export type WinnersV2Body = z.output<typeof winnersV2Body>;

/** The limit of a winner query, 50 where none is given. */
export function winnerLimit(given: number | null | undefined): number {
  return given ?? defaultWinners;
}

/** `win_amount` in atoms here, an exact number on the wire. */
export const winnerShape = z.strictObject({
  win_pot_id: z.string(),
  win_amount: z.bigint(),
  jackpot_currency: z.string(),
  player_id: z.string(),
  timestamp: z.int(),
  brand_id: z.string(),
  /** The money waits for a person or for the wallet (docs/rules/wins-and-reseeding.md "Withheld wins"). */
  win_withheld: z.literal(true).optional(),
});
export type WinnerShape = z.output<typeof winnerShape>;

/** What anybody sees of a winner where the operator shows them. */
const publicWinnerShape = z.strictObject({
  instance_id: z.string(),
  win_pot_id: z.string(),
  win_amount: z.bigint(),
  jackpot_currency: z.string(),
  player_id: z.string(),
  timestamp: z.int(),
});
/** O10, O11. */
export const shownWinnerShape = z.union([winnerShape, publicWinnerShape]);
export type ShownWinnerShape = z.output<typeof shownWinnerShape>;

/** A winner by name; the amount in atoms. */
export function winnerView(winner: WinnerRecord): WinnerShape {
  return {
    win_pot_id: winner.pot,
    win_amount: winner.amountAtoms,
    jackpot_currency: winner.currency,
    player_id: winner.player,
    timestamp: winner.timestampMs,
    brand_id: winner.brand,
    ...(winner.withheld ? { win_withheld: true } : {}),
  };
}

/** For callers who may not know the player. */
export function maskedWinnerView(winner: WinnerRecord): WinnerShape {
  return { ...winnerView(winner), player_id: maskPlayer(winner.player) };
}

/** For everybody. */
export function publicWinnerView(winner: WinnerRecord, instance_id: string): ShownWinnerShape {
  const { brand_id: _, win_withheld: __, ...shown } = maskedWinnerView(winner);
  return { instance_id, ...shown };
}

/** How a player is shown to others: the first two characters and `***`. */
export function maskPlayer(player: string): string {
  return `${[...player].slice(0, 2).join('')}***`;
}

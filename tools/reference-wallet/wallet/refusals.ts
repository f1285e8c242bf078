import type { z } from 'zod';
import type { WalletRefusal } from './operation.ts';

/**
 * Every refusal of the reference wallet: its status and its text (docs/rules/wallets.md "Reference wallet").
 */
const refusals = {
  invalid_json: [400, 'The body is not valid JSON.'],
  unauthenticated: [401, 'The bearer key or the signature is not valid.'],
  route_not_found: [404, 'There is nothing at this path.'],
  brand_not_found: [404, 'The path names no brand.'],
  player_not_found: [404, 'There is no such player.'],
  token_not_found: [404, 'There is no such token.'],
  transaction_not_found: [404, 'The transaction is not known. It will never be executed.'],
  batch_not_found: [404, 'The batch is not known. It will never be executed.'],
  method_not_allowed: [405, 'The path does not take this method.'],
  payload_too_large: [413, 'The body is too large.'],
  token_invalid: [422, 'The player token is not known.'],
  token_revoked: [422, 'The player token has been taken back.'],
  token_expired: [422, 'The player token has expired.'],
  amount_out_of_range: [422, 'The amount is out of range.'],
  amount_precision: [422, 'The amount has more than 8 decimals.'],
  bonus_exceeds_amount: [422, 'The bonus amount is more than the amount.'],
  player_unknown: [422, 'There is no such player.'],
  player_ambiguous: [422, 'Several brands have a player of this id: use the address of one brand.'],
  currency_mismatch: [422, 'The currency is not the one of the player.'],
  insufficient_funds: [422, 'The player has not enough money.'],
  insufficient_bonus_funds: [422, 'The player has not enough bonus funds.'],
  balance_out_of_range: [422, 'The balance would be out of range.'],
  round_closed: [422, 'The game round is closed.'],
  transaction_conflict: [422, 'Another transaction has this id.'],
  transaction_cancelled: [422, 'The transaction has been cancelled.'],
  transaction_mismatch: [422, 'The transaction is of another player or game round.'],
  transaction_not_in_batch: [422, 'A transaction is not one of the batch.'],
  batch_conflict: [422, 'Another batch has this id.'],
  batch_cancelled: [422, 'The batch has been cancelled.'],
  batch_totals_mismatch: [422, 'The totals are not the sums of the records.'],
  duplicate_player: [422, 'A batch names a player only once.'],
  duplicate_transaction: [422, 'A batch names a transaction only once.'],
  currency_fixed: [422, 'The currency of a player does not change.'],
  overloaded: [503, 'The wallet has too much to do.'],
} as const satisfies Readonly<Record<string, readonly [WalletRefusal['status'], string]>>;

export type RefusalCode = keyof typeof refusals;

export function refused(code: RefusalCode): WalletRefusal {
  const [status, message] = refusals[code];
  return { status, code, message };
}

export function messageOf(code: RefusalCode): string {
  return refusals[code][1];
}

/** Names the first field that is wrong, and never repeats what it held. */
export function invalid(error: z.ZodError): WalletRefusal {
  const path = error.issues[0]?.path.join('.') ?? '';
  const message = path === '' ? 'The body is not valid.' : `The field ${path} is missing or not valid.`;
  return { status: 400, code: 'invalid_request', message };
}

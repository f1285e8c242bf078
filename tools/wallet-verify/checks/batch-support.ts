import { items, members } from '../../../src/lib/unknown-json.ts';
import { accepted, amountOf, ensureAmount } from '../kit/answers.ts';
import { ensure } from '../kit/check.ts';
import type { Exchange } from '../kit/client.ts';
import type { Batch, BatchRecord, Kit } from '../kit/kit.ts';

/** Players that a message names. */
const maxShown = 5;

export const totalsAdvice =
  '`total_amount` and `total_jackpot_amount` are the exact sums of the records that are not in `errors`. With other totals the service repeats the batch.';

/** What both players have. */
export async function balances(kit: Kit): Promise<readonly [bigint, bigint]> {
  return [await kit.balance(kit.main), await kit.balance(kit.second)];
}

/** The balances must have changed by these numbers of minor units. */
export async function ensureMoved(
  kit: Kit,
  before: readonly [bigint, bigint],
  units: readonly [bigint, bigint],
  exchange: Exchange | null,
): Promise<void> {
  const { minorAtoms } = kit.main;
  const now = await balances(kit);
  ensureAmount(`The balance of ${kit.main.id}`, now[0], before[0] + units[0] * minorAtoms, exchange);
  ensureAmount(`The balance of ${kit.second.id}`, now[1], before[1] + units[1] * minorAtoms, exchange);
}

/** The answer's totals must be these numbers of minor units, and its errors name these players. */
export function ensureResult(
  kit: Kit,
  exchange: Exchange,
  units: bigint,
  players: readonly string[] = [],
  jackpotUnits = units,
): void {
  const errors = items(accepted(exchange).errors ?? []).map(members);
  const named = errors.map((one) => one.player_id);
  const present = new Set(named);
  const isRight = named.length === players.length && players.every((player) => present.has(player));
  const shown = (ids: readonly unknown[]): string =>
    ids.length > maxShown ? `${ids.length} players` : JSON.stringify(ids);
  ensure(isRight, `\`errors\` names ${shown(named)}, not ${shown(players)}.`, exchange);
  const haveTexts = errors.every((one) => typeof one.code === 'string' && typeof one.msg === 'string');
  ensure(haveTexts, 'An error of the batch has no `code` or no `msg`.', exchange);
  const { minorAtoms } = kit.main;
  ensureAmount('`total_amount`', amountOf(exchange, 'total_amount'), units * minorAtoms, exchange);
  const jackpot = amountOf(exchange, 'total_jackpot_amount');
  ensureAmount('`total_jackpot_amount`', jackpot, jackpotUnits * minorAtoms, exchange);
}

export function credits(kit: Kit, first = 11n, second = 22n): Batch {
  return kit.batch('Credit', [kit.record(kit.main, first), kit.record(kit.second, second)]);
}

/** A debit of more than the second player has. */
export async function tooMuch(kit: Kit): Promise<BatchRecord> {
  const { minorAtoms } = kit.second;
  return kit.record(kit.second, (await kit.balance(kit.second)) / minorAtoms + 1n);
}

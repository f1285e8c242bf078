import { assert } from '../../../lib/assert.ts';
import { toHex } from '../../../lib/bytes.ts';
import type { Json } from '../../../lib/canonical-json.ts';
import type { Prize, RaffleRules } from '../../state/configuration/configuration.ts';
import { currencyOfRow, type Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { creditFor, settleCredit } from '../credits/credit.ts';
import { openCredits } from '../credits/open.ts';
import { sourceOf } from '../credits/transaction-source.ts';
import { floorToMinor } from '../prices/convert.ts';
import type { Recipient } from '../wins/recipients.ts';

interface Won {
  readonly range: { readonly row: number };
  readonly amountAtoms: bigint;
}

/** The total of a player in a round: all prizes in one amount, so they are rounded once. */
export interface RaffleRecipient extends Recipient {
  readonly row: number;
}

/** The winners in the order of their first prizes; the amounts of those who need not wait are booked out. */
export function payPlayers(
  state: LaneState,
  instance: Instance,
  drawn: readonly Won[],
): readonly RaffleRecipient[] {
  const totals = new Map<number, bigint>();
  for (const { range, amountAtoms } of drawn) {
    totals.set(range.row, (totals.get(range.row) ?? 0n) + amountAtoms);
  }
  const recipients = [...totals].flatMap(([row, amountAtoms]) =>
    amountAtoms === 0n ? [] : [recipientOf(state, instance, row, amountAtoms)],
  );
  for (const { amountAtoms, credit } of recipients) settleCredit(instance.balances, amountAtoms, credit);
  return recipients;
}

/** Opens the credits of those who wait. Call it when nothing can be undone any more. */
export function openPrizes(
  state: LaneState,
  instance: Instance,
  pot: string,
  cycle: number,
  sequence: number,
  recipients: readonly RaffleRecipient[],
): void {
  const source = sourceOf(state, instance.facts, '');
  const paying = { kind: 'raffle', pot, cycle, sequence, contributionId: '', source } as const;
  openCredits(state, instance, paying, recipients);
}

export function recipientJson({ pseudonym, amountAtoms, credit }: RaffleRecipient): Json {
  return {
    winner: toHex(pseudonym),
    amount: amountAtoms.toString(),
    player_paid_back: credit.waits ? null : credit.backAtoms.toString(),
    withheld: credit.withheld,
  };
}

function recipientOf(
  state: LaneState,
  instance: Instance,
  row: number,
  amountAtoms: bigint,
): RaffleRecipient {
  const { players } = instance;
  const brand = state.brands.byNumber(players.brandOf(row));
  return {
    row,
    brand,
    player: players.playerId(row),
    pseudonym: pseudonymOfRow(instance, row),
    amountAtoms,
    credit: creditFor(state, instance, brand, currencyOfRow(instance, row), amountAtoms),
  };
}

export function pseudonymOfRow({ players }: Instance, row: number): Uint8Array {
  const bytes = new Uint8Array(16);
  players.copyPseudonym(row, new DataView(bytes.buffer), 0);
  return bytes;
}

/** Places in prize_distribution of the tickets that were drawn, in order: `drawn` of them. */
export function tiersOf(rules: RaffleRules, drawn: number): readonly number[] {
  const tiers = rules.prizes.flatMap((prize, tier) => Array.from({ length: prize.winners }, () => tier));
  return tiers.slice(0, drawn);
}

/** The prize of each drawn ticket; in the last round with its part of the rest. The remainder carries. */
export function prizesOf(
  rules: RaffleRules,
  valueAtoms: bigint,
  drawn: number,
  isLast: boolean,
  exponent: number,
): readonly bigint[] {
  const byTier = rules.prizes.map((prize) => floorToMinor(shareOf(prize, valueAtoms), exponent));
  const prizes = tiersOf(rules, drawn).map((tier) => byTier[tier]!);
  const total = sum(prizes);
  if (!isLast || total === 0n) return prizes;
  const rest = valueAtoms - total;
  const all = prizes.map((prize) => prize + floorToMinor((rest * prize) / total, exponent));
  assert(sum(all) <= valueAtoms, 'a round pays no more than the pot holds');
  return all;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n);
}

function shareOf({ percentage, winners }: Prize, valueAtoms: bigint): bigint {
  return (valueAtoms * percentage.scaled) / (percentage.scale * BigInt(winners));
}

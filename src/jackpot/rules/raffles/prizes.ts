import { assert } from '../../../lib/assert.ts';
import type { Prize, RaffleRules } from '../../state/configuration/raffle-rules.ts';
import { floorToMinor } from '../prices/convert.ts';

/** Places in prize_distribution of the tickets that were drawn, in order: `drawn` of them. */
export function tiersOf(rules: RaffleRules, drawn: number): readonly number[] {
  const tiers = rules.prizes.flatMap((prize, tier) => Array.from({ length: prize.winners }, () => tier));
  return tiers.slice(0, drawn);
}

/**
 * The prize of each drawn ticket, in whole minor units. Each tier pays floor(V·prize_percentage/number_of_winners); in
 * the last round the rest is shared by the drawn tickets, pro rata by prize. The remainder carries.
 */
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

import { assert } from '../../../lib/assert.ts';
import { addFractions, compareFractions, floorMultiply, zero } from '../../../lib/fraction.ts';
import { highOf, lowOf } from '../../../lib/wide.ts';
import type { Criteria, HousePot, PotConfiguration } from '../../state/configuration/configuration.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { Split } from '../../state/money/quote.ts';
import { shareOf } from '../configuration/shares.ts';

/** Words of a pot in `Split.parts`: gross share, its seed part, the rest. */
export const grossAt = 0;
export const seedPartAt = 2;
export const restAt = 4;
export const partSlots = 6;

/**
 * Shares of all pots are taken first, in array order; those of pots outside `mask` are split again, pro rata,
 * over the pots inside; that rest and the dust go to one pot (docs/rules/contributions.md "Split").
 */
export function split(
  contribution: bigint,
  house: HousePot,
  pots: readonly PotConfiguration[],
  mask: number,
): Split {
  let left = contribution - shareOf(house.type, contribution, contribution);
  const gross = pots.map((pot) => {
    const share = shareOf(pot.share, contribution, left);
    left -= share;
    return share;
  });
  const dust = dustOf(contribution, pots, left);
  giveAway(gross, pots, mask, dust);
  const potsTotal = gross.reduce((sum, each) => sum + each, 0n);
  const houseAtoms = contribution - potsTotal;
  assert(houseAtoms >= 0n, 'the pots take more than the contribution');
  return {
    high: highOf(contribution),
    low: lowOf(contribution),
    mask,
    houseAtoms,
    house: pairsOf([houseAtoms, divertedOf(house, houseAtoms)]),
    parts: pairsOf(gross.flatMap((share, index) => partsOf(pots[index]!, share))),
  };
}

export function divertedOf(house: HousePot, inflow: bigint): bigint {
  return house.diversion === null ? 0n : floorMultiply(inflow, house.diversion.percentage);
}

/** pots_total − Σ floor(C·p_i), over the shares that are percentages. */
function dustOf(contribution: bigint, pots: readonly PotConfiguration[], left: bigint): bigint {
  const total = pots.reduce((sum, pot) => addFractions(sum, pot.share.percentage ?? zero), zero);
  const floored = pots.reduce(
    (sum, pot) =>
      sum + (pot.share.percentage === null ? 0n : floorMultiply(contribution, pot.share.percentage)),
    0n,
  );
  const dust = floorMultiply(contribution, total) - floored;
  return dust < left ? dust : left;
}

function giveAway(gross: bigint[], pots: readonly PotConfiguration[], mask: number, dust: bigint): void {
  const fed = gross.flatMap((_, index) => ((mask >>> index) & 1 ? [index] : []));
  const first = fed[0];
  assert(first !== undefined, 'a contribution is split over at least one pot');
  if (fed.length === gross.length) {
    if (dust > 0n) gross[maxShare(pots)]! += dust;
    return;
  }
  const fedTotal = fed.reduce((sum, index) => sum + gross[index]!, 0n);
  const unfed = gross.reduce((sum, each) => sum + each, 0n) - fedTotal;
  let rest = unfed;
  gross.forEach((share, index) => {
    const part = (mask >>> index) & 1 && fedTotal > 0n ? (unfed * share) / fedTotal : 0n;
    rest -= part;
    gross[index] = (mask >>> index) & 1 ? share + part : 0n;
  });
  const largest = fed.reduce((best, index) => (gross[index]! > gross[best]! ? index : best), first);
  gross[largest]! += rest + dust;
}

function maxShare(pots: readonly PotConfiguration[]): number {
  return pots.reduce(
    (best, pot, index) =>
      compareFractions(pot.share.percentage ?? zero, pots[best]!.share.percentage ?? zero) > 0 ? index : best,
    0,
  );
}

/** is_progressive false wins over all: everything to seed. HouseFunded: everything joins the rest. */
function partsOf(pot: PotConfiguration, share: bigint): readonly bigint[] {
  if (!pot.isProgressive) return [share, share, 0n];
  const seed = pot.fundStrategy === 'HouseFunded' ? 0n : shareOf(pot.seedShare, share, share);
  return [share, seed, share - seed];
}

function pairsOf(values: readonly bigint[]): Float64Array {
  return Float64Array.from(values.flatMap((value) => [highOf(value), lowOf(value)]));
}

/** Bit i: pot i is enabled and its own criteria hold. */
export function qualifiedPots(instance: Instance, contributionAtoms: bigint, wagerAtoms: bigint): number {
  let qualified = instance.enabledMask;
  for (const pot of instance.pots) {
    if (!meets(pot.effective.criteria, wagerAtoms, contributionAtoms)) qualified &= ~(1 << pot.index);
  }
  return qualified;
}

/** Thresholds on the base wager and on C, both in the instance's currency. */
export function meets(criteria: Criteria, wagerAtoms: bigint, contributionAtoms: bigint): boolean {
  return wagerAtoms >= criteria.minBaseWagerAtoms && contributionAtoms >= criteria.minContributionAtoms;
}

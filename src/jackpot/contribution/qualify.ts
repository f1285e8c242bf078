import type { Contribute } from '../commands.ts';
import type { Criteria } from '../configuration/configuration.ts';
import { type Refusal, refused } from '../refusals.ts';
import type { Instance } from '../state/instance.ts';
import { toInstance } from './convert.ts';
import type { Price } from './price.ts';

/** The base wager in the instance's currency, or why the instance's own criteria refuse it. */
export function wagerRefusal(instance: Instance, price: Price, command: Contribute): bigint | Refusal {
  const wagerAtoms = toInstance(price.exchange, command.baseWagerAtoms);
  if (command.baseWagerAtoms < 0n) return refused('amount_negative');
  return meets(instance.configuration.rules.criteria, wagerAtoms, price.contributionAtoms)
    ? wagerAtoms
    : refused('wager_below_minimum');
}

/** Bit i: pot i is enabled and its own criteria hold. */
export function qualifiedPots(instance: Instance, price: Price, wagerAtoms: bigint): number {
  let qualified = instance.enabledMask;
  for (const pot of instance.pots) {
    if (!meets(pot.effective.criteria, wagerAtoms, price.contributionAtoms)) qualified &= ~(1 << pot.index);
  }
  return qualified;
}

function meets(criteria: Criteria, wagerAtoms: bigint, contributionAtoms: bigint): boolean {
  return wagerAtoms >= criteria.minBaseWagerAtoms && contributionAtoms >= criteria.minContributionAtoms;
}

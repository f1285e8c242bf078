import type { Criteria } from '../../state/configuration/configuration.ts';
import type { Instance } from '../../state/instance/instance.ts';

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

import { formatAmount, lesserOf } from '../../../lib/money.ts';
import { readWide } from '../../../lib/wide.ts';
import { fullAtOnce } from '../../rules/configuration/must-drop.ts';
import type { Transfer } from '../../rules/transfers/transfer.ts';
import type { PotConfiguration } from '../../state/configuration/configuration.ts';
import type { Instance } from '../../state/instance/instance.ts';
import { currentAt, potAt } from '../../state/money/accounts.ts';

/**
 * Effects of a switch that need an override: odds per unit get worse, or a must-drop pot is full at once. `moved` are
 * the balances of the target after the move, before they are cut to a cap. Returns all of them as texts.
 */
export function worseningsOf(
  source: Instance,
  target: Instance,
  transfers: readonly Transfer[],
  moved: Float64Array,
): readonly string[] {
  const odds = transfers.flatMap((transfer) => {
    const from = source.pots[transfer.source]!.effective;
    return transfer.targets
      .filter((each) => each.fraction.scaled > 0n)
      .flatMap((each) => worseOdds(from, target.pots[each.pot]!.effective));
  });
  const full = target.pots.flatMap(({ index, effective }) =>
    fullAtOnce(effective, readWide(moved, potAt(index) + currentAt)),
  );
  return [...odds, ...full];
}

/** Pots whose hits do not depend on contributions alone are not compared. */
function worseOdds(from: PotConfiguration, to: PotConfiguration): readonly string[] {
  const before = minCycle(from);
  const after = minCycle(to);
  if (before === null || after === null || after <= before) return [];
  return [
    `${to.id} would be hit once in ${formatAmount(after)} contributed, ${from.id} is hit once in ${formatAmount(before)}`,
  ];
}

/** The least Σ of contributions at which one of the pot's triggers is expected to hit. */
function minCycle(pot: PotConfiguration): bigint | null {
  const rates = pot.triggers.flatMap(({ expectedCycleAtoms }) => expectedCycleAtoms ?? []);
  return rates.length === 0 ? null : rates.reduce(lesserOf);
}

import {
  addFractions,
  compareFractions,
  type Fraction,
  one,
  parseFraction,
  shareDecimals,
  zero,
} from '../../../lib/fraction.ts';
import type { TransferRule } from '../../../messages/instance-commands.ts';
import type { Instance } from '../../state/instance/instance.ts';

/** Which pots of the target take which fraction of a pot of the source, by index. */
export interface Transfer {
  readonly source: number;
  readonly targets: readonly { readonly pot: number; readonly fraction: Fraction }[];
}

/** Reads pot transfer rules (docs/rules/model-switches.md "Transfer rules"). Faults are texts. */
export function readTransfers(
  source: Instance,
  target: Instance,
  rules: readonly TransferRule[],
): { readonly transfers: readonly Transfer[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const transfers = rules.flatMap((rule) => {
    const pot = source.potIndex(rule.source);
    if (pot >= 0) return [{ source: pot, targets: readTargets(target, rule, faults) }];
    faults.push('a rule names a pot that the source does not have');
    return [];
  });
  for (const { index, effective } of source.pots) {
    const count = transfers.filter((each) => each.source === index).length;
    if (count === 0) faults.push(`${effective.id} is left out`);
    if (count > 1) faults.push(`${effective.id} stands in more than one rule`);
  }
  return { transfers, faults };
}

function readTargets(target: Instance, rule: TransferRule, faults: string[]): Transfer['targets'] {
  const from = rule.source;
  const targets = rule.targets.flatMap(([id, text]) => {
    const pot = target.potIndex(id);
    const fraction = parseFraction(text, shareDecimals);
    if (pot < 0) faults.push(`the rule of ${from} names a pot that the target does not have`);
    if (fraction === null) faults.push(`the rule of ${from} has a malformed fraction`);
    return pot < 0 || fraction === null ? [] : [{ pot, fraction }];
  });
  if (new Set(targets.map((each) => each.pot)).size !== targets.length) {
    faults.push(`the rule of ${from} names a pot of the target twice`);
  }
  const total = targets.reduce((sum, each) => addFractions(sum, each.fraction), zero);
  if (targets.length === rule.targets.length && compareFractions(total, one) !== 0) {
    faults.push(`the fractions of ${from} do not make 1`);
  }
  return targets;
}

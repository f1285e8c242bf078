import type { BrandValue, OperatorValue } from '../../contracts/directory/directory.ts';
import { canonicalText } from './configuration-change.ts';
import { noRule, weakens } from './rule.ts';

/** Changes that need no approval (docs/rules/approvals.md "Operators and brands"). */
const harmless: ReadonlySet<string> = new Set(['name', 'quota']);

/** Whether a change of an operator or a brand needs a second administrator. */
export function changesRights<V extends OperatorValue | BrandValue>(before: V, after: V): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof V & string>;
  return [...names].some((name) => {
    if (harmless.has(name) || canonicalText(before[name]) === canonicalText(after[name])) return false;
    // Stopping an owner in an emergency needs no approval.
    if (name === 'enabled') return after.enabled;
    if (name === 'requires_second_factor') return before[name] === true;
    if (name === 'four_eyes') return weakens(ruleOf(before), ruleOf(after));
    return true;
  });
}

function ruleOf(value: OperatorValue | BrandValue) {
  return ('four_eyes' in value ? value.four_eyes : undefined) ?? noRule;
}

import { readAmount } from '../../contracts/amount.ts';
import { readDirectoryChange } from '../../contracts/directory.ts';
import { directoryKey } from '../../contracts/directory-keys.ts';
import { operatorOf } from '../../contracts/identifiers.ts';
import type { GatewayContext } from '../operation.ts';
import { stored } from '../stored.ts';

/** The rule of an operator (docs/rules/approvals.md "The rule"). */
export interface FourEyesRule {
  readonly enabled: boolean;
  /** In the jackpot's currency; null: every adjustment of a pot needs a second administrator. */
  readonly limit: string | null;
}

/** The rule of an operator that has none. */
export const noRule: FourEyesRule = { enabled: false, limit: null };

/**
 * The rule that applies to a thing of this owner: that of its operator. Read from the directory itself, because the
 * read model of this gateway may lag behind the change that has just turned the rule on.
 */
export async function fourEyesRule(
  { tables }: Pick<GatewayContext, 'tables'>,
  owner: string,
): Promise<FourEyesRule> {
  const entry = await stored(() => tables.directory.get(directoryKey.operator(operatorOf(owner))));
  const change = entry === null ? null : readDirectoryChange(entry.key, entry.value, entry.revision);
  if (change?.kind !== 'set' || change.entry.kind !== 'operator') return noRule;
  return change.entry.four_eyes ?? noRule;
}

/** Whether a change of the rule itself needs a second administrator: it makes the rule weaker. */
export function weakens(current: FourEyesRule, next: FourEyesRule): boolean {
  if (!current.enabled) return false;
  if (!next.enabled) return true;
  if (next.limit === null) return false;
  return current.limit === null || isAbove(next.limit, current.limit);
}

/** Whether one amount is above another; decimal strings in normal form. */
export function isAbove(amount: string, other: string): boolean {
  const [a, b] = [readAmount(amount), readAmount(other)];
  return !a.ok || !b.ok || a.atoms > b.atoms;
}

import { readAmount } from '../../contracts/fields/amount.ts';

/** The rule of an operator (docs/rules/approvals.md "The rule"). */
export interface FourEyesRule {
  readonly enabled: boolean;
  /** In the jackpot's currency; null: every adjustment of a pot needs a second administrator. */
  readonly limit: string | null;
}

/** The rule of an operator that has none. */
export const noRule: FourEyesRule = { enabled: false, limit: null };

/** The rule where the operator's own cannot be read. */
export const strictRule: FourEyesRule = { enabled: true, limit: null };

/** Whether a change of the rule itself needs a second administrator: it makes the rule weaker. */
export function weakens(current: FourEyesRule, next: FourEyesRule): boolean {
  if (!current.enabled) return false;
  if (!next.enabled) return true;
  if (next.limit === null) return false;
  return current.limit === null || isAbove(next.limit, current.limit);
}

/** The amount that one administrator may move; null: none at all. */
export function limitAtoms({ limit }: FourEyesRule): bigint | null {
  const read = limit === null ? null : readAmount(limit);
  return read?.ok === true ? read.atoms : null;
}

/** Whether an amount is above the limit of a rule; without a limit every amount is. */
export function isAboveLimit(amountAtoms: bigint, rule: FourEyesRule): boolean {
  const limit = limitAtoms(rule);
  return limit === null || amountAtoms > limit;
}

/** Whether one amount is above another; decimal strings in normal form. */
export function isAbove(amount: string, other: string): boolean {
  const [a, b] = [readAmount(amount), readAmount(other)];
  return !a.ok || !b.ok || a.atoms > b.atoms;
}

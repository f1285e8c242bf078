import type { WinConstraintKind } from '../../../messages/kinds.ts';

/** The input of a constraint: only the state of the pot before the draw. */
interface ConstraintView {
  readonly balances: Float64Array;
  readonly potAt: number;
  readonly minReseedAtoms: bigint;
  readonly timestampMs: number;
}

export interface WinConstraint {
  readonly kind: WinConstraintKind;
  holds(view: ConstraintView): boolean;
}

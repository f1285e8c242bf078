import type { WinConstraintKind } from '../../../messages/kinds.ts';
import type { Reader } from '../../configuration/reader.ts';

/** What a constraint may look at: the pot's state before the draw, nothing else. */
export interface ConstraintView {
  readonly balances: Float64Array;
  readonly potAt: number;
  readonly minReseedAtoms: bigint;
  readonly timestampMs: number;
}

export interface WinConstraint {
  readonly kind: WinConstraintKind;
  holds(view: ConstraintView): boolean;
}

export interface WinConstraintType {
  /** The value stands in `parameters` under the kind's name. */
  read(parameters: Reader): WinConstraint;
}

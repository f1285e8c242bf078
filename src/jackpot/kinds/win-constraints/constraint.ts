import type { WinConstraintKind } from '../../../messages/kinds.ts';
import type { Reader } from '../../configuration/reader.ts';

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

export interface WinConstraintType {
  /** `parameters` has the value under the name of the kind. */
  read(parameters: Reader): WinConstraint;
}

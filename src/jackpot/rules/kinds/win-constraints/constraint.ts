import type { WinConstraint } from '../../../state/configuration/win-constraint.ts';
import type { Reader } from '../../documents/reader.ts';

export interface WinConstraintType {
  /** `parameters` has the value under the name of the kind. */
  read(parameters: Reader): WinConstraint;
}

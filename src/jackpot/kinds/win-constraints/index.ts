import type { Reader } from '../../configuration/reader.ts';
import { allowedSeedDeficit } from './allowed-seed-deficit.ts';
import { minContributions } from './min-contributions.ts';
import { minInterval } from './min-interval.ts';
import { minPotValue } from './min-pot-value.ts';

/** What a constraint may look at: the pot's state before the draw, nothing else. */
export interface ConstraintView {
  readonly words: Float64Array;
  readonly potAt: number;
  readonly minReseedAtoms: bigint;
  readonly timestampMs: number;
}

export interface WinConstraint {
  readonly kind: string;
  holds(view: ConstraintView): boolean;
}

/** Reads `{"Kind": value}`; the value stands in `parameters` under the kind's name. */
export type WinConstraintKind = (parameters: Reader) => WinConstraint;

/** Every kind of win constraint (domain.md 4). A new one is one file and one line here. */
export const winConstraints: Readonly<Record<string, WinConstraintKind>> = {
  AllowedSeedDeficit: allowedSeedDeficit,
  MinPotValue: minPotValue,
  MinContributions: minContributions,
  MinInterval: minInterval,
};

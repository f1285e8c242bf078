import type { PotTypeKind } from '../../../messages/kinds.ts';
import type { TimeWindows } from './time-windows.ts';

/** Win if Uniform(den) < num: both as lib/wide pairs. */
export interface Odds {
  numHigh: number;
  numLow: number;
  denHigh: number;
  denLow: number;
}

/** The random numbers of one draw, in order; `high` and `low` hold the last one. */
export interface Keystream {
  readonly high: number;
  readonly low: number;
  /** The next one below `den` of the odds. */
  uniform(odds: Odds): void;
}

/** The inputs of a trigger: the contribution and the pot that it has fed. */
export interface DrawView {
  contributionHigh: number;
  contributionLow: number;
  timestampMs: number;
  /** Since when the pot can be won, in this cycle and without a pause; 0 where the epoch's rules do not ask. */
  openSinceMs: number;
  /** The instance's words, and where the pot's begin. */
  balances: Float64Array;
  potAt: number;
}

/** A pot that must be hit between two values. */
export interface Bounds {
  readonly minAtoms: bigint;
  readonly maxAtoms: bigint;
}

/** One entry of a pot's `pot_types`, with its parameters read. */
export interface Trigger {
  readonly kind: PotTypeKind;
  /** Never drawn; only A30 pays it. */
  readonly external: boolean;
  /** Writes the odds of this draw; false where there is nothing to draw. */
  odds(view: DrawView, odds: Odds): boolean;
  /** Σ of contributions at which a hit is expected, for warnings; null where it does not depend on them alone. */
  readonly expectedCycleAtoms: bigint | null;
  /** Threshold: between which values the pot is hit; null for other kinds. */
  readonly bounds: Bounds | null;
  /** Time: when the pot must be hit; null for other kinds. */
  readonly windows: TimeWindows | null;
}

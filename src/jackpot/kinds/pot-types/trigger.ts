import type { Reader } from '../../configuration/reader.ts';

/** Win if Uniform(den) < num: both as lib/wide pairs. */
export interface Odds {
  numHigh: number;
  numLow: number;
  denHigh: number;
  denLow: number;
}

/** What a trigger may look at: the contribution and its pot, after step 8 of domain.md 3. */
export interface DrawView {
  contributionHigh: number;
  contributionLow: number;
  timestampMs: number;
  /** The instance's words, and where the pot's begin. */
  words: Float64Array;
  potAt: number;
}

/** One entry of a pot's `pot_types`, with its parameters read. */
export interface Trigger {
  readonly kind: string;
  /** Never drawn; only A30 pays it. */
  readonly external: boolean;
  /** Writes the odds of this draw; false where there is nothing to draw. */
  odds(view: DrawView, odds: Odds): boolean;
  /** num and den for an average contribution, for warnings; null where it does not depend on one. */
  readonly expectedCycleAtoms: bigint | null;
}

export interface PotType {
  /** Reads the parameters; faults go to the reader. */
  read(parameters: Reader): Trigger;
}

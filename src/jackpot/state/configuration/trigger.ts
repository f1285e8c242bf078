import type { PotTypeKind } from '../../../messages/kinds.ts';
import { maxTimeTriggers, windowEndAt, windowSlots, windowsAt } from '../money/accounts.ts';

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
  uniform(odds: Odds): void;
}

/** The inputs of a trigger: the contribution and the pot that it has fed. */
export interface DrawView {
  contributionHigh: number;
  contributionLow: number;
  timestampMs: number;
  /**
   * Since when the pot can be won, in this cycle and without a pause; 0 where the epoch's rules do not ask.
   */
  openSinceMs: number;
  /** The instance's words, and where the pot's begin. */
  balances: Float64Array;
  potAt: number;
}

interface Bounds {
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
  /** Σ of contributions at which a hit is expected, for warnings; null where it depends on more than them. */
  readonly expectedCycleAtoms: bigint | null;
  /** Threshold: between which values the pot is hit; null for other kinds. */
  readonly bounds: Bounds | null;
  /** Time: when the pot must be hit; null for other kinds. */
  readonly windows: TimeWindows | null;
}

const dayMs = 86_400_000;

/** The windows of one Time trigger: every UTC day's, or a single one. A window is named by its end. */
export class TimeWindows {
  readonly startMs: number;
  readonly endMs: number;
  readonly isDaily: boolean;
  /** Which of the Time triggers of the pot it is: the place of its state in the balances. */
  readonly slot: number;

  constructor(startMs: number, endMs: number, slot: number) {
    this.startMs = startMs;
    this.endMs = endMs;
    this.isDaily = startMs < dayMs && endMs < dayMs;
    this.slot = slot;
  }

  /** Where its state begins among the pot's words. */
  get at(): number {
    return windowsAt + windowSlots * Math.min(this.slot, maxTimeTriggers - 1);
  }

  get lengthMs(): number {
    return this.endMs - this.startMs;
  }

  /** End of the first window that ends after a moment; 0: there is no such window. */
  firstEndAfter(ms: number): number {
    if (!this.isDaily) return this.endMs > ms ? this.endMs : 0;
    const end = Math.floor(ms / dayMs) * dayMs + this.endMs;
    return end > ms ? end : end + dayMs;
  }

  /** End of the window that it draws in; 0: it draws nothing any more. */
  openEnd(balances: Float64Array, potAt: number): number {
    return balances[potAt + this.at + windowEndAt]!;
  }
}

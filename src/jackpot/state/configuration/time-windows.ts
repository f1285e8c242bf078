import { maxTimeTriggers, windowEndAt, windowSlots, windowsAt } from '../money/accounts.ts';

export const dayMs = 86_400_000;

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

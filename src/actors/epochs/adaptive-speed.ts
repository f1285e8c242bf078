/** Pauses after about a millisecond of work: at ease the lane has the core for eight times as long. */
const pausesPerSliceMs = [8, 4, 2, 1, 0.5] as const;
const maxLevel = pausesPerSliceMs.length - 1;
const adjustIntervalMs = 10_000;
/** A backlog that would last longer at this speed makes the work faster. */
const catchUpWithinMs = 600_000;
/** Fewer messages are no backlog. */
const maxBacklogAtEase = 256;

/**
 * How fast work beside the lane goes: as slowly as it may, as fast as it must. It is looked at every ten
 * seconds how far the work is behind, and how much that has changed.
 */
export class AdaptiveSpeed {
  #level = 0;
  #adjustedAtMs: number;
  #behindThen = Number.POSITIVE_INFINITY;
  #isTooSlow = false;

  constructor(nowMs: number) {
    this.#adjustedAtMs = nowMs;
  }

  get pausePerSliceMs(): number {
    return pausesPerSliceMs[this.#level]!;
  }

  /** Not even the fastest gear catches up in time. */
  get isTooSlow(): boolean {
    return this.#isTooSlow;
  }

  adjust(nowMs: number, behind: number): void {
    const passedMs = nowMs - this.#adjustedAtMs;
    if (passedMs < adjustIntervalMs) return;
    const caughtUp = this.#behindThen - behind;
    const catchesUp = caughtUp > 0 && (behind / caughtUp) * passedMs <= catchUpWithinMs;
    if (behind <= maxBacklogAtEase) this.#level = Math.max(0, this.#level - 1);
    else if (!catchesUp) {
      this.#isTooSlow = this.#level === maxLevel;
      this.#level = Math.min(maxLevel, this.#level + 1);
    }
    if (behind <= maxBacklogAtEase || catchesUp) this.#isTooSlow = false;
    this.#adjustedAtMs = nowMs;
    this.#behindThen = behind;
  }
}

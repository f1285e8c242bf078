/** Pauses after a slice of work of about a millisecond: at ease the lane has the core for eight times as long. */
const pausesPerSliceMs = [8, 4, 2, 1, 0.5] as const;
const fastest = pausesPerSliceMs.length - 1;
const lookEveryMs = 10_000;
/** A backlog that would last longer at this speed makes the work faster. */
const catchUpWithinMs = 600_000;
/** Messages behind which nobody calls a backlog. */
const maxAtEase = 256;

/**
 * How fast work beside the lane goes: as slowly as it may, as fast as it must. It is looked at every ten seconds how far
 * the work is behind, and how much that has changed.
 */
export class Gears {
  #gear = 0;
  #lookedAtMs: number;
  #lookedAt = Number.POSITIVE_INFINITY;
  #isTooSlow = false;

  constructor(nowMs: number) {
    this.#lookedAtMs = nowMs;
  }

  get pausePerSliceMs(): number {
    return pausesPerSliceMs[this.#gear]!;
  }

  /** Not even the fastest gear catches up in time. */
  get isTooSlow(): boolean {
    return this.#isTooSlow;
  }

  /** `behind`: messages. */
  look(nowMs: number, behind: number): void {
    const passedMs = nowMs - this.#lookedAtMs;
    if (passedMs < lookEveryMs) return;
    const caughtUp = this.#lookedAt - behind;
    const catchesUp = caughtUp > 0 && (behind / caughtUp) * passedMs <= catchUpWithinMs;
    if (behind <= maxAtEase) this.#gear = Math.max(0, this.#gear - 1);
    else if (!catchesUp) {
      this.#isTooSlow = this.#gear === fastest;
      this.#gear = Math.min(fastest, this.#gear + 1);
    }
    if (behind <= maxAtEase || catchesUp) this.#isTooSlow = false;
    this.#lookedAtMs = nowMs;
    this.#lookedAt = behind;
  }
}

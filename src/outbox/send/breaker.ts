import type { Clock } from '../../ports.ts';
import { outboxLimits } from '../delivery/limits.ts';

const { failuresToOpen, probeEveryMs } = outboxLimits;

/**
 * Whether a receiver may be sent to. After some tries without an answer it is down: one try probes it every 2
 * s, and the result holds for all that wait.
 */
export class Breaker {
  readonly #clock: Clock;
  #failures = 0;
  #nextProbeMs = 0;
  #probing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOpen(): boolean {
    return this.#failures >= failuresToOpen;
  }

  /** How long the next try has to wait; null: until the probe that is under way has ended. */
  waitMs(): number | null {
    if (!this.isOpen) return 0;
    return this.#probing ? null : Math.max(0, this.#nextProbeMs - this.#clock.elapsedMs());
  }

  begun(): void {
    if (this.isOpen) this.#probing = true;
  }

  answered(): void {
    this.#failures = 0;
    this.#probing = false;
  }

  unanswered(): void {
    this.#failures += 1;
    this.#probing = false;
    if (this.isOpen) this.#nextProbeMs = this.#clock.elapsedMs() + probeEveryMs;
  }
}

import { EarliestFirst } from '../../lib/earliest-first.ts';
import type { Clock } from '../../ports.ts';

/**
 * Ids by the time at which they are due, and one timer, for the earliest. Once an id is planned, no step of
 * the wall clock makes it wait longer.
 */
export class DueTimer {
  readonly #clock: Clock;
  readonly #begin: () => void;
  /** By `elapsedMs`. */
  readonly #times = new EarliestFirst<string>(() => false);
  #timer: { readonly atMs: number; cancel(): void } | null = null;
  #stopped = false;

  /** `begin` takes what is due. It calls `wait` if the timer is to go on. */
  constructor(clock: Clock, begin: () => void) {
    this.#clock = clock;
    this.#begin = begin;
  }

  /** `atMs`: by the wall clock. It replaces an earlier plan of the id. */
  plan(id: string, atMs: number): void {
    this.#times.set(id, this.#clock.elapsedMs() + Math.max(0, atMs - this.#clock.nowMs()));
    this.wait();
  }

  /** The earliest id that is due, which leaves. */
  takeDue(): string | null {
    const first = this.#times.first();
    if (first === null || first.atMs > this.#clock.elapsedMs()) return null;
    this.#times.set(first.key, null);
    return first.key;
  }

  /** Sets the timer for the earliest id, if it is not set for that time or an earlier one. */
  wait(): void {
    const atMs = this.#times.first()?.atMs ?? null;
    if (this.#stopped || atMs === null || (this.#timer !== null && this.#timer.atMs <= atMs)) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(Math.max(0, atMs - this.#clock.elapsedMs()), () => {
      this.#timer = null;
      this.#begin();
    });
    this.#timer = { atMs, cancel };
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }
}

import type { Clock } from '../../ports.ts';
import { DueTimes } from './due-times.ts';

/** Ids by the time at which they are due, and one timer, for the earliest. */
export class DueTimer {
  readonly #clock: Clock;
  readonly #begin: () => void;
  readonly #times = new DueTimes();
  #timer: { readonly atMs: number; cancel(): void } | null = null;
  #stopped = false;

  /** `begin` takes what is due. It calls `wait` if the timer is to go on. */
  constructor(clock: Clock, begin: () => void) {
    this.#clock = clock;
    this.#begin = begin;
  }

  plan(id: string, atMs: number): void {
    this.#times.add(id, atMs);
    this.wait();
  }

  /** The earliest id that is due, which leaves. */
  takeDue(nowMs: number): string | null {
    return this.#times.takeDue(nowMs);
  }

  /** Sets the timer for the earliest id, if it is not set for that time or an earlier one. */
  wait(): void {
    const atMs = this.#times.earliestMs;
    if (this.#stopped || atMs === null || (this.#timer !== null && this.#timer.atMs <= atMs)) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(Math.max(0, atMs - this.#clock.nowMs()), () => {
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

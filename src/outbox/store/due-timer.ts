import type { Clock } from '../../ports.ts';
import { DueTimes } from './due-times.ts';

/**
 * Ids by the time at which they are due, and one timer, for the earliest. Once an id is planned, no step of the wall clock makes it wait
 * longer.
 */
export class DueTimer {
  readonly #clock: Clock;
  readonly #begin: () => void;
  readonly #times = new DueTimes();
  /** By id the time that counts, by `elapsedMs`. */
  readonly #planned = new Map<string, number>();
  #timer: { readonly atMs: number; cancel(): void } | null = null;
  #stopped = false;

  /** `begin` takes what is due. It calls `wait` if the timer is to go on. */
  constructor(clock: Clock, begin: () => void) {
    this.#clock = clock;
    this.#begin = begin;
  }

  /** `atMs`: by the wall clock. It replaces an earlier plan of the id. */
  plan(id: string, atMs: number): void {
    const dueMs = this.#clock.elapsedMs() + Math.max(0, atMs - this.#clock.nowMs());
    this.#planned.set(id, dueMs);
    this.#times.add(id, dueMs);
    this.wait();
  }

  /** The earliest id that is due, which leaves. */
  takeDue(): string | null {
    for (;;) {
      const due = this.#times.takeDue(this.#clock.elapsedMs());
      if (due === null) return null;
      if (this.#planned.get(due.id) !== due.atMs) continue;
      this.#planned.delete(due.id);
      return due.id;
    }
  }

  /** Sets the timer for the earliest id, if it is not set for that time or an earlier one. */
  wait(): void {
    const atMs = this.#times.earliestMs;
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

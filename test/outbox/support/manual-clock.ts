import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../src/ports.ts';

interface Timer {
  readonly atMs: number;
  readonly task: () => void;
}

const patienceMs = 120_000;
/** Real time for what a timer has begun, before the next one fires. */
const settleMs = 2;

/** Time that passes only while a test waits: timers fire one after the other, in their order. */
export class ManualClock implements Clock {
  #nowMs = 1_700_000_000_000;
  readonly #timers = new Set<Timer>();
  /** While something is under way in real time, no time passes. */
  isBusy: () => boolean = () => false;

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, task: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets time pass from timer to timer until it is so. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const untilMs = performance.now() + patienceMs;
    while (!(await isSo())) {
      if (performance.now() > untilMs) throw new Error('It did not happen.');
      if (!this.isBusy()) this.next();
      await delay(settleMs);
    }
  }

  /** The earliest timer fires. */
  next(): void {
    const [first] = [...this.#timers].sort((a, b) => a.atMs - b.atMs);
    if (first === undefined) return;
    this.#timers.delete(first);
    this.#nowMs = Math.max(this.#nowMs, first.atMs);
    first.task();
  }
}

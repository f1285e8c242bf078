import type { Clock } from '../../src/ports.ts';

/** A clock that moves only when it is told to; tasks run in order of their time. */
export class ManualClock implements Clock {
  #nowMs = 0;
  readonly #tasks = new Set<{ readonly atMs: number; readonly task: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, task: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, task };
    this.#tasks.add(entry);
    return () => this.#tasks.delete(entry);
  }

  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const due = [...this.#tasks].filter(({ atMs }) => atMs <= untilMs);
      if (due.length === 0) break;
      const next = due.reduce((earliest, each) => (each.atMs < earliest.atMs ? each : earliest));
      this.#tasks.delete(next);
      this.#nowMs = next.atMs;
      next.task();
    }
    this.#nowMs = untilMs;
  }
}

import { foreignEventLimits as limits } from '../base/limits.ts';
import type { Connection } from '../connections/connection.ts';
import type { ForeignFeedEvent } from '../events/foreign-event.ts';

interface ForeignEventsPorts {
  recipientsOf(event: ForeignFeedEvent): readonly Connection[];
  deliver(connection: Connection, event: ForeignFeedEvent): void;
  dropped(): void;
  elapsedMs(): number;
  /** Runs the task in a later turn of the event loop: at once, or after a pause. */
  later(task: () => void, delayMs: number): void;
}

/** What is left of an operator's events. */
interface Line {
  readonly waiting: ForeignFeedEvent[];
  /** Recipients of the first event that waits; null: its delivery has not begun. */
  recipients: readonly Connection[] | null;
  next: number;
  readonly budget: Budget;
}

/** Bytes that may be handed to sockets now; below zero: some time must pass. */
interface Budget {
  bytes: number;
  atMs: number;
}

/**
 * Delivers other platforms' events a few sockets at a time. Operators take turns, and each has a budget of
 * bytes a second, as all have together: a flood of one delays and loses its own events only
 * (docs/rules/feeds.md "Events of other platforms").
 */
export class ForeignEvents {
  readonly #ports: ForeignEventsPorts;
  /** In the order of their turns. A line leaves when it is empty and its budget is full again. */
  readonly #lines = new Map<string, Line>();
  readonly #common: Budget;
  #waiting = 0;
  #running = false;

  constructor(ports: ForeignEventsPorts) {
    this.#ports = ports;
    this.#common = { bytes: limits.bytesPerSecond, atMs: ports.elapsedMs() };
  }

  take(operator: string, event: ForeignFeedEvent): void {
    const line = this.#lines.get(operator) ?? this.#newLine(operator);
    if (line === null || line.waiting.length >= limits.waitingOfOperator || this.#waiting >= limits.waiting) {
      this.#ports.dropped();
      return;
    }
    line.waiting.push(event);
    this.#waiting += 1;
    this.#schedule(0);
  }

  #newLine(operator: string): Line | null {
    if (this.#lines.size >= limits.operators) return null;
    const budget = { bytes: limits.bytesPerSecondOfOperator, atMs: this.#ports.elapsedMs() };
    const line = { waiting: [], recipients: null, next: 0, budget };
    this.#lines.set(operator, line);
    return line;
  }

  #schedule(delayMs: number): void {
    if (this.#running) return;
    this.#running = true;
    this.#ports.later(() => {
      this.#running = false;
      this.#turn();
    }, delayMs);
  }

  #turn(): void {
    this.#refill(this.#common, limits.bytesPerSecond);
    const ready = this.#common.bytes > 0 ? this.#nextReady() : null;
    if (ready !== null) {
      const [operator, line] = ready;
      this.#lines.delete(operator);
      this.#lines.set(operator, line);
      this.#deliverSome(line);
    }
    if (this.#waiting > 0) this.#schedule(ready === null ? limits.pauseMs : 0);
  }

  #nextReady(): [string, Line] | null {
    let found: [string, Line] | null = null;
    for (const [operator, line] of this.#lines) {
      this.#refill(line.budget, limits.bytesPerSecondOfOperator);
      if (line.waiting.length > 0 && line.budget.bytes > 0) found ??= [operator, line];
      else if (line.waiting.length === 0 && line.budget.bytes >= limits.bytesPerSecondOfOperator)
        this.#lines.delete(operator);
    }
    return found;
  }

  #deliverSome(line: Line): void {
    for (let left: number = limits.deliveriesOfTurn; left > 0 && line.budget.bytes > 0; ) {
      const event = line.waiting[0];
      if (event === undefined) return;
      line.recipients ??= this.#ports.recipientsOf(event);
      const connection = line.recipients[line.next];
      if (connection === undefined) {
        line.waiting.shift();
        line.recipients = null;
        line.next = 0;
        this.#waiting -= 1;
        // Looking for the recipients costs something, too.
        left -= 1;
        continue;
      }
      line.next += 1;
      left -= 1;
      this.#ports.deliver(connection, event);
      const bytes = event.envelope.before.length + event.envelope.after.length + limits.bytesOfDelivery;
      line.budget.bytes -= bytes;
      this.#common.bytes -= bytes;
    }
  }

  #refill(budget: Budget, perSecond: number): void {
    const nowMs = this.#ports.elapsedMs();
    const seconds = Math.max(0, nowMs - budget.atMs) / 1000;
    budget.bytes = Math.min(perSecond, budget.bytes + seconds * perSecond);
    budget.atMs = nowMs;
  }
}

import { recoveryEvents, recoveryEventsPerInstance, recoveryWindowMs } from '../base/limits.ts';

export interface Counted {
  readonly instance: string;
  /** The instance's event counter, gapless. */
  readonly counter: number;
  /** Time of the outcome record. */
  readonly timestampMs: number;
}

type Recovery<E> = { readonly complete: true; readonly events: readonly E[] } | { readonly complete: false };

/** The counted events of the last two minutes, by instance: what `since` recovers from. It never guesses. */
export class History<E extends Counted> {
  readonly #events = new Map<string, E[]>();
  /** Newest counter of an instance, kept after its events have left the window. */
  readonly #newest = new Map<string, number>();
  readonly #order: E[] = [];
  #head = 0;

  /** False: an older one, or the same again. */
  add(event: E): boolean {
    const newest = this.#newest.get(event.instance);
    if (newest !== undefined && event.counter <= newest) return false;
    this.#newest.set(event.instance, event.counter);
    let events = this.#events.get(event.instance);
    // After a hole, earlier events are useless.
    if (events === undefined || (newest !== undefined && event.counter !== newest + 1)) {
      events = [];
      this.#events.set(event.instance, events);
    }
    events.push(event);
    if (events.length > recoveryEventsPerInstance) events.shift();
    this.#order.push(event);
    if (this.#order.length - this.#head > recoveryEvents) this.#dropOldest();
    return true;
  }

  /** The instance's newest counter here; `last`: what else is known of it. */
  newest(instance: string, last: number): number {
    return this.#newest.get(instance) ?? last;
  }

  /**
   * All events after counter `since`; incomplete if they are not known any more. `last` is the instance's
   * newest counter, for instances of which no event was seen here.
   */
  after(instance: string, since: number, last: number, nowMs: number): Recovery<E> {
    this.expire(nowMs);
    const newest = this.newest(instance, last);
    if (since > newest) return { complete: false };
    if (since === newest) return { complete: true, events: [] };
    const events = this.#events.get(instance) ?? [];
    const first = events[0];
    if (first === undefined || first.counter > since + 1) return { complete: false };
    return { complete: true, events: events.slice(since + 1 - first.counter) };
  }

  expire(nowMs: number): void {
    for (;;) {
      const oldest = this.#order[this.#head];
      if (oldest === undefined || nowMs - oldest.timestampMs <= recoveryWindowMs) return;
      this.#dropOldest();
    }
  }

  #dropOldest(): void {
    const oldest = this.#order[this.#head] as E;
    this.#head += 1;
    const events = this.#events.get(oldest.instance);
    if (events?.[0] === oldest) events.shift();
    if (events?.length === 0) this.#events.delete(oldest.instance);
    if (this.#head * 2 > this.#order.length) {
      this.#order.splice(0, this.#head);
      this.#head = 0;
    }
  }
}

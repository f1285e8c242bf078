import type { Clock } from '../../ports.ts';
import { AddressCounts } from '../base/address-counts.ts';
import { httpLimits } from './limits.ts';

interface Refusals {
  count: number;
  atMs: number;
}

const { promptRefusals, refusalsPerDelay, refusalDelayMs, maxRefusalDelayMs } = httpLimits;
const maxCount = promptRefusals + refusalsPerDelay * (maxRefusalDelayMs / refusalDelayMs);

/** Sends a caller's first thousand refusals at once, further ones later and later (docs/decisions/0065). */
export class RefusalDelays {
  readonly #clock: Clock;
  /** By caller; those that were refused least recently come first. */
  readonly #refusals = new Map<string, Refusals>();
  readonly #waitingOf = new AddressCounts(httpLimits.delayedRefusalsOfCaller);
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `send` once, now or later. `closes`: too many answers wait, and the connection is to end. */
  send(caller: string, send: (closes: boolean) => void): void {
    const delayMs = this.#delayMs(caller);
    const isFull = this.#waiting >= httpLimits.delayedRefusals;
    if (delayMs === 0 || isFull || !this.#waitingOf.take(caller)) {
      send(delayMs > 0);
      return;
    }
    this.#waiting += 1;
    this.#clock.after(delayMs, () => {
      this.#waiting -= 1;
      this.#waitingOf.release(caller);
      send(false);
    });
  }

  #delayMs(caller: string): number {
    const further = this.#count(caller) - promptRefusals;
    if (further <= 0) return 0;
    const delayMs = Math.min(maxRefusalDelayMs, refusalDelayMs * Math.ceil(further / refusalsPerDelay));
    // Callers that are refused together do not come back together.
    return Math.round(delayMs * (1 - Math.random() / 2));
  }

  #count(caller: string): number {
    const nowMs = this.#clock.elapsedMs();
    const known = this.#refusals.get(caller);
    const forgiven =
      known === undefined ? 0 : (Math.max(0, nowMs - known.atMs) / 1000) * httpLimits.promptRefusalsPerSecond;
    const count = Math.min(maxCount, Math.max(0, (known?.count ?? 0) - forgiven) + 1);
    this.#refusals.delete(caller);
    if (this.#refusals.size >= httpLimits.countedAddresses)
      this.#refusals.delete(this.#refusals.keys().next().value as string);
    this.#refusals.set(caller, { count, atMs: nowMs });
    return count;
  }
}

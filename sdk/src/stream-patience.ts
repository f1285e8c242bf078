import type { PotstreamError } from './errors.ts';
import { delayBefore, isTemporary, isUncertain, type Pace, type RetryLimits } from './retry.ts';
import { canReconnect, isOrdinary, refusesToken } from './stream-faults.ts';
import type { Entry } from './stream-window.ts';

/** How often, how long and after which pauses a stream and its contributions are tried again. */
export class Patience {
  readonly #pace: Pace;
  readonly #patienceMs: number;
  readonly #retry: RetryLimits;
  /** Connections since the last result that ended in trouble. */
  #failures = 0;
  #refusedTokens = 0;
  /** Since when results are expected and do not come. */
  #stalledMs: number;

  constructor(pace: Pace, patienceMs: number, retry: RetryLimits) {
    this.#pace = pace;
    this.#patienceMs = patienceMs;
    this.#retry = retry;
    this.#stalledMs = pace.nowMs();
  }

  /** A result is expected from now on. */
  began(): void {
    this.#stalledMs = this.#pace.nowMs();
  }

  /** The service took the token. */
  opened(): void {
    this.#refusedTokens = 0;
  }

  /** A result came. */
  progressed(): void {
    this.#failures = 0;
    this.#stalledMs = this.#pace.nowMs();
  }

  /** Milliseconds until the next connection; null: there is none. */
  reconnectAfter(error: PotstreamError): number | null {
    const isOfToken = refusesToken(error);
    if (isOfToken) this.#refusedTokens += 1;
    const canGoOn = isOfToken ? this.#refusedTokens <= 1 : canReconnect(error);
    const needsPause = !isOrdinary(error) || this.#failures > 0;
    this.#failures += 1;
    const delayMs = needsPause ? delayBefore(this.#failures, error, this.#pace.random()) : 0;
    const isTooLate = this.#pace.nowMs() + delayMs - this.#stalledMs > this.#patienceMs;
    return canGoOn && !isTooLate ? delayMs : null;
  }

  /** When a refused contribution is due again; null: its refusal is its result. */
  againAt<Ref>(entry: Entry<Ref>, error: PotstreamError): number | null {
    const { maxAttempts, maxElapsedMs } = this.#retry;
    const nowMs = this.#pace.nowMs();
    entry.isUncertain ||= isUncertain(error);
    entry.refusals += 1;
    entry.refusedMs ??= nowMs;
    const dueMs = nowMs + delayBefore(entry.refusals, error, this.#pace.random());
    const isOver = entry.refusals >= maxAttempts || dueMs - entry.refusedMs > maxElapsedMs;
    return isTemporary(error) && !isOver ? dueMs : null;
  }
}

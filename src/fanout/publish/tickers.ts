import type { KnownInstance } from '../../directory/lane-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import type { Clock } from '../../ports.ts';
import { conflationMs, encodingCacheMs } from '../base/limits.ts';
import type { Scope } from '../scope/scope.ts';
import { feedTickerText, updateFrame } from './ticker.ts';

interface Encoded {
  readonly liveValues: KnownInstance['liveValues'];
  readonly version: number;
  readonly basis: unknown;
  /** The time that its frame shows. */
  readonly atMs: number;
  /** For its age. */
  readonly madeMs: number;
  readonly ticker: string;
  /** Made when it is first asked for. */
  update: Buffer | null;
}

/**
 * The newest ticker of each instance in each encoding that somebody listens to: converted and written once, however many
 * scopes, sockets and feeds get it.
 */
export class Tickers {
  readonly #readModel: ReadModel;
  readonly #clock: Pick<Clock, 'nowMs' | 'elapsedMs'>;
  readonly #encoded = new Map<string, Encoded>();

  constructor(readModel: ReadModel, clock: Pick<Clock, 'nowMs' | 'elapsedMs'>) {
    this.#readModel = readModel;
    this.#clock = clock;
  }

  /** JSON text; at most `conflationMs` old, so that what hangs on the directory shows too. */
  text(known: KnownInstance, scope: Scope): string {
    return this.#newest(known, scope).ticker;
  }

  /** The frame of its JackpotUpdate. */
  update(known: KnownInstance, scope: Scope): Buffer {
    const encoded = this.#newest(known, scope);
    encoded.update ??= updateFrame(known, encoded.ticker, encoded.atMs);
    return encoded.update;
  }

  /** The frame that says whether `since` could be honoured. */
  snapshot(known: KnownInstance, scope: Scope, recovered: boolean): Buffer {
    const { ticker, atMs } = this.#newest(known, scope);
    return updateFrame(known, ticker, atMs, recovered);
  }

  /** Drops tickers that nobody used lately. */
  expire(): void {
    const beforeMs = this.#clock.elapsedMs() - encodingCacheMs;
    for (const [key, { madeMs }] of this.#encoded) if (madeMs < beforeMs) this.#encoded.delete(key);
  }

  #newest(known: KnownInstance, scope: Scope): Encoded {
    const { description, liveValues } = known;
    const key = `${scope.tickerEncoding} ${description.instance}`;
    const madeMs = this.#clock.elapsedMs();
    const basis = scope.money.basis();
    const cached = this.#encoded.get(key);
    if (
      cached !== undefined &&
      cached.liveValues === liveValues &&
      cached.version === description.version &&
      cached.basis === basis &&
      madeMs - cached.madeMs < conflationMs
    )
      return cached;
    const fresh: Encoded = {
      liveValues,
      version: description.version,
      basis,
      atMs: this.#clock.nowMs(),
      madeMs,
      ticker: feedTickerText(this.#readModel, known, scope.money),
      update: null,
    };
    this.#encoded.set(key, fresh);
    return fresh;
  }
}

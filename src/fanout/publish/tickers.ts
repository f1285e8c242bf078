import { tickerView } from '../../contracts/jackpots/instance-view.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { toHex } from '../../lib/bytes.ts';
import { writeJson } from '../../lib/json.ts';
import type { Clock } from '../../ports.ts';
import { conflationMs, encodingCacheMs } from '../base/limits.ts';
import { frameOf, jackpotEnvelope } from '../events/feed-event.ts';
import type { Money } from '../scope/money.ts';
import type { Scope } from '../scope/scope.ts';

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
 * The newest ticker of each instance in each encoding in use: converted and written once for all scopes,
 * sockets and feeds.
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

  /** Drops tickers that were not used lately. */
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
      ticker: tickerTextOf(this.#readModel, known, scope.money),
      update: null,
    };
    this.#encoded.set(key, fresh);
    return fresh;
  }
}

/** An instance ticker (O20) as JSON text, with amounts as its listeners see them. */
function tickerTextOf(readModel: ReadModel, known: KnownInstance, money: Money): string {
  const { description, liveValues, configuration } = known;
  const shown = liveValues.pots.map((pot) => ({
    ...pot,
    currentAtoms: money.show(pot.currentAtoms, configuration.currency).atoms,
  }));
  const ticker = tickerView(description, { ...liveValues, pots: shown }, configuration.pots, {
    brands: readModel.allowedBrands(known),
    sources: readModel.sourcesOf(description.instance),
  });
  return writeJson({ ...ticker, currency: money.show(0n, configuration.currency).currency });
}

/**
 * The JackpotUpdate of an instance: its ticker with `head` (lower-case hex) and `epoch`. `recovered` is only
 * in the snapshot of a connection that asked with `since`.
 */
function updateFrame(known: KnownInstance, ticker: string, timestampMs: number, recovered?: boolean): Buffer {
  const { description, liveValues } = known;
  const more = writeJson({ head: toHex(liveValues.head), epoch: liveValues.epoch, recovered });
  const content = { owner: description.owner, data: `${ticker.slice(0, -1)},${more.slice(1)}` };
  const envelope = jackpotEnvelope('JackpotUpdate', description.instance, content, timestampMs);
  return frameOf(envelope, liveValues.sequence);
}

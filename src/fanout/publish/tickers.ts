import { publicTickerView } from '../../contracts/feeds/public-feed.ts';
import { tickerView } from '../../contracts/jackpots/instance-view.ts';
import { frameOf, jackpotEnvelope } from '../../directory/events/feed-event.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { toHex } from '../../lib/bytes.ts';
import { writeJson } from '../../lib/json.ts';
import type { Clock } from '../../ports.ts';
import { conflationMs, encodingCacheMs } from '../base/limits.ts';
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
  /** Made when it is first asked for, for the event counter that it shows. */
  update: Buffer | null;
  eventSequence: number;
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

  /** The frame of its JackpotUpdate. `eventSequence`: the newest counted event that was sent before it. */
  update(known: KnownInstance, scope: Scope, eventSequence: number): Buffer {
    const encoded = this.#newest(known, scope);
    if (encoded.update === null || encoded.eventSequence !== eventSequence) {
      encoded.update = updateFrame(known, scope, encoded, { event_seq: eventSequence });
      encoded.eventSequence = eventSequence;
    }
    return encoded.update;
  }

  /** The frame that says whether `since` could be honoured. */
  snapshot(known: KnownInstance, scope: Scope, eventSequence: number, recovered: boolean): Buffer {
    return updateFrame(known, scope, this.#newest(known, scope), { event_seq: eventSequence, recovered });
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
      ticker: tickerTextOf(this.#readModel, known, scope),
      update: null,
      eventSequence: 0,
    };
    this.#encoded.set(key, fresh);
    return fresh;
  }
}

/** An instance ticker (O20) as JSON text, with amounts as its listeners see them; the public sees less. */
function tickerTextOf(readModel: ReadModel, known: KnownInstance, { money, publicOf }: Scope): string {
  const { description, liveValues, configuration } = known;
  const show = (atoms: bigint) => money.show(atoms, configuration.currency).atoms;
  const { currency } = money.show(0n, configuration.currency);
  const sources = readModel.sourcesOf(description.instance);
  if (publicOf !== undefined)
    return writeJson(
      publicTickerView(description, liveValues, { pots: configuration.pots, sources, currency }, show),
    );
  const shown = liveValues.pots.map((pot) => ({ ...pot, currentAtoms: show(pot.currentAtoms) }));
  const ticker = tickerView(description, { ...liveValues, pots: shown }, configuration.pots, {
    brands: readModel.allowedBrands(known),
    sources,
  });
  return writeJson({ ...ticker, currency });
}

/**
 * The JackpotUpdate of an instance: its ticker, for all but the public with `head` (lower-case hex) and
 * `epoch`. `recovered` is only in the snapshot of a connection that asked with `since`.
 */
function updateFrame(
  { description, liveValues }: KnownInstance,
  { publicOf }: Scope,
  { ticker, atMs }: Encoded,
  more: { readonly event_seq: number; readonly recovered?: boolean },
): Buffer {
  const chain = publicOf === undefined ? { head: toHex(liveValues.head), epoch: liveValues.epoch } : {};
  const data = `${ticker.slice(0, -1)},${writeJson({ ...chain, ...more }).slice(1)}`;
  const content = { owner: publicOf ?? description.owner, data };
  return frameOf(jackpotEnvelope('JackpotUpdate', description.instance, content, atMs), liveValues.sequence);
}

import type { FeedEvents, FeedState, JackpotUpdate, WinEvent } from '../../../client/src/index.ts';
import type { TickerFeed } from '../../../client/src/ticker/element.ts';

type Listeners = { readonly [K in keyof FeedEvents]?: Set<(event: FeedEvents[K]) => void> };
const player = 'ad***';

export interface Sample {
  readonly currency: string;
  /** Minor units are whole numbers: a decimal string is made of them, as the service does. */
  readonly units: bigint;
  readonly places: number;
  readonly growth: bigint;
}

/** Values that no demo has, for what a ticker must be able to show. It is a feed like any other to the ticker. */
export class SampleFeed implements TickerFeed {
  readonly jackpots = new Map<string, JackpotUpdate>();
  readonly #samples: ReadonlyMap<string, Sample>;
  readonly #listeners: Listeners = { state: new Set(), update: new Set(), win: new Set() };
  readonly state: FeedState;
  #round = 0n;

  /** `atMs`: of values that are no longer live. */
  constructor(samples: Readonly<Record<string, Sample>>, atMs?: number) {
    this.#samples = new Map(Object.entries(samples));
    this.state = atMs === undefined ? 'live' : 'offline';
    this.#tick(atMs ?? Date.now());
    if (atMs === undefined) setInterval(() => this.#tick(Date.now()), 1000);
  }

  on<K extends keyof FeedEvents>(event: K, listener: (event: FeedEvents[K]) => void): () => void {
    const listeners = this.#listeners[event];
    listeners?.add(listener);
    return () => void listeners?.delete(listener);
  }

  win(instance: string, amount: string): void {
    const sample = this.#samples.get(instance);
    if (sample === undefined) return;
    const event: WinEvent = {
      ...envelopeOf(instance, Number(this.#round), Date.now()),
      event_type: 'WinEvent',
      data: {
        win_pot_id: 'grand',
        win_amount: amount,
        currency: sample.currency,
        player_id: player,
        community_winners: [],
      },
    };
    for (const listener of this.#listeners.win ?? []) listener(event);
  }

  #tick(nowMs: number): void {
    this.#round += 1n;
    for (const [instance, { currency, units, places, growth }] of this.#samples) {
      const text = String(units + growth * this.#round).padStart(places + 1, '0');
      const value = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
      const update: JackpotUpdate = {
        ...envelopeOf(instance, Number(this.#round), nowMs),
        event_type: 'JackpotUpdate',
        data: {
          id: instance,
          currency,
          pots: [{ id: 'grand', is_progressive: true, current_value: value, community_split: '0' }],
          status: 'Active',
          timestamp_start: 0,
          timestamp_end: null,
          event_seq: 0,
          allowed_sources: [],
          last_updated: nowMs,
        },
      };
      this.jackpots.set(instance, update);
      for (const listener of this.#listeners.update ?? []) listener(update);
    }
  }
}

function envelopeOf(instance: string, seq: number, timestamp: number) {
  const nobody = { operator_id: 'sample', brand_id: 'sample:main', player_id: null };
  return { msg_type: 'Event', source: 'jackpot', ...nobody, instance_id: instance, seq, timestamp } as const;
}

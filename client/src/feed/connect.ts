import { type Credential, placeOf, withQuery } from './address.ts';
import { Counters } from './counters.ts';
import type {
  Feed,
  FeedError,
  FeedEvent,
  FeedEvents,
  FeedOptions,
  FeedState,
  JackpotUpdate,
  WinEvent,
} from './events.ts';
import { Link, settledMs, silenceMs, suspicious } from './link.ts';
import { platform } from './platform.ts';
import { readEvent } from './read-event.ts';
import { hasStreams, type Transport } from './transport.ts';
import { readWinners } from './winners.ts';

/** What a client says to a feed in one message, less what stands around `since`. */
const sinceBytes = 3_600;
/** Wins are announced a little later than values that do not contain them any more. */
const overlapMs = 5_000;
/** After an outage all pages have the same gaps at the same time. */
const gapSpreadMs = 3_000;
const rememberedWins = 200;
const winnersLimit = 100;

const names = {
  JackpotUpdate: 'update',
  WinEvent: 'win',
  RaffleWinEvent: 'raffle',
  InstanceStatusEvent: 'status',
  OptInEvent: 'optin',
  RaffleTicketEvent: 'tickets',
} as const;
const counted: ReadonlySet<string> = new Set(['WinEvent', 'RaffleWinEvent', 'InstanceStatusEvent']);

/** Follows a feed until it is closed. @throws TypeError where the options name none */
export function connect(options: FeedOptions): Feed {
  return new Client(options);
}

class Client implements Feed {
  readonly jackpots = new Map<string, JackpotUpdate>();
  readonly #options: FeedOptions;
  readonly #credential: Credential;
  readonly #place;
  readonly #link: Link;
  readonly #counters = new Counters();
  readonly #listeners = new Map<string, Set<(event: never) => void>>();
  /** Instance → when it was heard of last. */
  readonly #heardMs = new Map<string, number>();
  readonly #silent = new Set<string>();
  /** Wins of the feed lately, so that those over HTTP come once. */
  readonly #wins = new Set<string>();
  /** Instance → the time after which its wins are missing. */
  readonly #gaps = new Map<string, number>();
  #readsGaps = false;
  #transport: Transport | null = null;
  #openedMs = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#credential = options.ticket ? 'ticket' : options.token ? 'token' : null;
    this.#place = placeOf(options, this.#credential);
    this.#link = new Link({
      target: (unopened) => this.#target(unopened),
      ...(this.#credential === null ? { refusal: () => this.#refusal() } : {}),
      opened: (transport) => this.#opened(transport),
      message: (text) => this.#message(text),
      tick: () => this.#tick(),
      state: (state) => this.#tell('state', state),
      error: (error) => this.#tell('error', error),
    });
  }

  get state(): FeedState {
    return this.#link.state;
  }

  on<K extends keyof FeedEvents>(event: K, listener: (event: FeedEvents[K]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  isFresh(instance: string): boolean {
    return this.state === 'live' && this.#heardMs.has(instance) && !this.#silent.has(instance);
  }

  refreshToken(token: string): void {
    this.#say({ RefreshTokenRequest: { token } });
  }

  reconnect(): void {
    this.#link.reconnect();
  }

  close(): void {
    this.#gaps.clear();
    this.#link.close();
    this.#listeners.clear();
  }

  async #target(unopened: number): Promise<{ address: string; isStream: boolean }> {
    const { service, path } = this.#place;
    const { ticket, token, currency, instances } = this.#options;
    const address = `${service}${path}`;
    if (ticket !== undefined)
      return { address: withQuery(address, { ticket: await ticket() }), isStream: false };
    if (token !== undefined)
      return { address: withQuery(address, { token: await token(), currency }), isStream: false };
    // Each way in turn: what lies between may let only one of them through.
    const isStream = unopened >= suspicious && unopened % 2 === 0 && hasStreams();
    const narrowed = isStream ? { instance_ids: instances?.join() } : {};
    return { address: withQuery(address, { currency, ...narrowed }), isStream };
  }

  async #refusal(): Promise<number> {
    const { service, path } = this.#place;
    const { currency } = this.#options;
    const snapshot = withQuery(`${service}${path.replace(/events$/, 'jackpots')}`, { currency });
    const signal = platform.AbortSignal.timeout(silenceMs);
    return (await platform.fetch(snapshot, { signal })).status;
  }

  #opened(transport: Transport): void {
    const { instances, foreign } = this.#options;
    this.#transport = transport;
    this.#openedMs = platform.performance.now();
    const room = sinceBytes - JSON.stringify(instances ?? []).length;
    const since = this.#counters.since(room, instances);
    this.#say({
      SubscribeRequest: {
        events: [
          { source: 'jackpot', event_type: '*', instance_ids: instances, since },
          ...(foreign ? ['campaign', 'drop'].map((source) => ({ source, event_type: '*' })) : []),
        ],
      },
    });
  }

  #say(message: object): void {
    this.#transport?.send?.(JSON.stringify(message));
  }

  #message(text: string): void {
    const event = readEvent(text);
    if (event === null || !this.#isNews(event)) return;
    const name = (names as Readonly<Record<string, keyof FeedEvents>>)[event.event_type];
    if (name !== undefined && event.source === 'jackpot') this.#tell(name, event as never);
    this.#tell('any', event);
  }

  #isNews(event: FeedEvent): boolean {
    if (event.source !== 'jackpot' || event.instance_id === null) return true;
    if (event.event_type === 'JackpotUpdate') return this.#update(event.instance_id, event);
    if (!counted.has(event.event_type)) return true;
    if (!this.#counters.count(event.instance_id, event.seq)) return false;
    if (event.event_type !== 'InstanceStatusEvent') this.#remember(event as WinEvent);
    return true;
  }

  #update(instance: string, event: JackpotUpdate): boolean {
    const known = this.jackpots.get(instance);
    const nowMs = platform.performance.now();
    this.#heardMs.set(instance, nowMs);
    this.#silent.delete(instance);
    if (this.#counters.update(instance, event.data.event_seq, event.data.recovered)) {
      this.#gaps.set(instance, (known?.timestamp ?? 0) - overlapMs);
      void this.#readGaps();
    }
    // Another process of the service may be behind a little; only a restored system stays behind.
    if (known !== undefined && event.seq < known.seq && nowMs - this.#openedMs < settledMs) return false;
    this.jackpots.set(instance, event);
    return true;
  }

  /** False: it is remembered. */
  #remember({ instance_id, timestamp, data: { win_pot_id } }: WinEvent): boolean {
    const key = `${instance_id} ${timestamp} ${win_pot_id}`;
    if (this.#wins.has(key)) return false;
    this.#wins.add(key);
    for (const oldest of this.#wins) {
      if (this.#wins.size <= rememberedWins) break;
      this.#wins.delete(oldest);
    }
    return true;
  }

  #tick(): void {
    const nowMs = platform.performance.now();
    for (const [instance, heardMs] of this.#heardMs) {
      if (nowMs - Math.max(heardMs, this.#openedMs) <= silenceMs || this.#silent.has(instance)) continue;
      this.#silent.add(instance);
      this.#tell('silent', instance);
    }
  }

  /** One after the other, so that an outage of many instances is no flood. */
  async #readGaps(): Promise<void> {
    if (this.#readsGaps) return;
    this.#readsGaps = true;
    await new Promise<void>((resolve) => platform.setTimeout(resolve, Math.random() * gapSpreadMs));
    for (const [instance, after] of this.#gaps) {
      this.#gaps.delete(instance);
      const missed = await this.#winners(instance, after).catch((cause: unknown) => {
        this.#tell('error', { code: 0, reason: 'winners', final: false, cause } satisfies FeedError);
        return null;
      });
      const wins = missed?.filter((win) => this.#remember(win)) ?? null;
      for (const win of wins ?? []) {
        this.#tell('win', win);
        this.#tell('any', win);
      }
      this.#tell('gap', { instance, after, wins });
    }
    this.#readsGaps = false;
  }

  async #winners(instance: string, after: number): Promise<readonly WinEvent[]> {
    const { winners, token } = this.#options;
    if (winners !== undefined) return winners(instance, after);
    const { service, operator, brand } = this.#place;
    const address = `${service}/v1/jackpot/instances/${encodeURIComponent(instance)}/winners`;
    const asked = withQuery(address, { brand_id: `${operator}:${brand}`, limit: String(winnersLimit) });
    const headers: Record<string, string> = token === undefined ? {} : { 'X-Player-Token': await token() };
    return readWinners(asked, headers, { operator, brand, instance, after });
  }

  #tell<K extends keyof FeedEvents>(name: K, event: FeedEvents[K]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])] as ((event: FeedEvents[K]) => void)[]) {
      try {
        listener(event);
      } catch (error) {
        // A fault of the page is its own.
        (platform.reportError ?? platform.console.error).call(globalThis, error);
      }
    }
  }
}

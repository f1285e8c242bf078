import type { components } from './generated.ts';

type Messages = components['schemas'];

/** An event of which the public feed shows some members only; the others are there for players and services. */
type Shown<E extends { data: object }, K extends keyof E['data']> = Omit<E, 'data'> & {
  data: Pick<E['data'], K> & Partial<E['data']>;
};

export type JackpotUpdate = Shown<
  Messages['JackpotUpdate'],
  'id' | 'currency' | 'pots' | 'status' | 'timestamp_start' | 'timestamp_end' | 'last_updated'
> & { data: { event_seq?: number } };
export type WinEvent = Shown<
  Messages['WinEvent'],
  'win_pot_id' | 'win_amount' | 'currency' | 'player_id' | 'community_winners'
>;
export type RaffleWinEvent = Shown<Messages['RaffleWinEvent'], 'win_pot_id' | 'currency' | 'winners'>;
export type InstanceStatusEvent = Shown<Messages['InstanceStatusEvent'], 'instance_id' | 'status'>;
export type OptInEvent = Messages['OptInEvent'];
export type RaffleTicketEvent = Messages['RaffleTicketEvent'];
export type PayoutEvent = Messages['PayoutEvent'];
export type CommunityPayoutErrorEvent = Messages['CommunityPayoutErrorEvent'];
/** Another platform's event. */
export type ForeignEvent = Messages['ForeignEvent'];

export type FeedEvent =
  | JackpotUpdate
  | WinEvent
  | RaffleWinEvent
  | InstanceStatusEvent
  | OptInEvent
  | RaffleTicketEvent
  | PayoutEvent
  | CommunityPayoutErrorEvent
  | ForeignEvent;

/**
 * `connecting`: no value yet. `live`: values are current. `stale`: the connection is lost and the client comes back.
 * `offline`: that lasts, or the client has given up (event `error`).
 */
export type FeedState = 'connecting' | 'live' | 'stale' | 'offline';

/** Events of an instance that were missed and that the feed does not know any more. */
export interface Gap {
  readonly instance: string;
  /** Milliseconds since the epoch: nothing before it is missing. */
  readonly after: number;
  /** Its wins since then, each also a `win`; null: they could not be read. */
  readonly wins: readonly WinEvent[] | null;
}

export interface FeedError {
  /** A close code of the feeds, 1006 where there was none; 0: winners could not be read. */
  readonly code: number;
  readonly reason: string;
  /** Whether the client has given up: only `reconnect()` tries again. */
  readonly final: boolean;
  /** What `ticket` or `winners` threw. */
  readonly cause?: unknown;
}

export interface FeedEvents {
  state: FeedState;
  update: JackpotUpdate;
  win: WinEvent;
  raffle: RaffleWinEvent;
  status: InstanceStatusEvent;
  optin: OptInEvent;
  tickets: RaffleTicketEvent;
  /** Every event of the feed, also of types that this version does not know. */
  any: FeedEvent;
  /** The id of an instance that has been silent while others are not: its value may be old. */
  silent: string;
  gap: Gap;
  error: FeedError;
}

export interface FeedOptions {
  /** Address of the service ("https://pots.example") or of a feed; http(s) or ws(s). */
  readonly url: string;
  /** A new ticket for each try (POST /v1/feed-tickets). Without it, and without `token`: the public feed of `brand`. */
  readonly ticket?: () => Promise<string>;
  /** A token in place of the ticket, for programs: browsers and proxies write addresses into their logs. */
  readonly token?: () => Promise<string>;
  /** "operator_id/brand_id": needed unless `url` is the address of the feed itself. */
  readonly brand?: string;
  /** In which values are shown. A ticket says it already. */
  readonly currency?: string;
  /** Only these instances; default: all that the feed shows. */
  readonly instances?: readonly string[];
  /** Also the events of other platforms. */
  readonly foreign?: boolean;
  /** Wins since a time (milliseconds since the epoch), after a gap. Default: what O10 shows of the brand's winners. */
  readonly winners?: (instance: string, after: number) => Promise<readonly WinEvent[]>;
}

export interface Feed {
  readonly state: FeedState;
  /** Newest authoritative value of each instance. */
  readonly jackpots: ReadonlyMap<string, JackpotUpdate>;
  /** Gives back what ends it. */
  on<K extends keyof FeedEvents>(event: K, listener: (event: FeedEvents[K]) => void): () => void;
  /** Whether the instance was heard of lately. */
  isFresh(instance: string): boolean;
  /** A newer token of the same owner, for the open socket of a player's or service's token. */
  refreshToken(token: string): void;
  /** Tries again at once, also after a final error. */
  reconnect(): void;
  close(): void;
}

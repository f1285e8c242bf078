/** Every bound of the fan-out in one place (docs/rules/feeds.md "Limits"). */

/** An update of one instance is sent at most this often … */
export const conflationMs = 1_000;
/** … and at least this often: a second inside the promised 5 s, for what the way to the client takes. */
export const refreshMs = 4_000;
/** How often the conflation looks for instances that are due. */
export const publishEveryMs = 100;

/** Counted events are kept for `since` this long, up to these numbers for an instance and in all. */
export const recoveryWindowMs = 120_000;
export const recoveryEventsPerInstance = 1_000;
export const recoveryEvents = 50_000;

export const snapshotInstances = 500;
/** Ids that a connection may narrow its subscriptions to, over all its entries. */
export const narrowedInstances = 512;

/**
 * Bytes that the websocket engine keeps of an incomplete message; more cuts the connection without a close
 * code. Larger than a client's limit, so that a slightly larger message gets a close code
 * (docs/decisions/0077).
 */
export const engineMessageBytes = 8 * 1_024;
export const clientMessagesPerSecond = 10;
export const clientMessagesBurst = 20;

export const firstSubscriptionMs = 30_000;
/** A connection ends after a day, so that load spreads over processes that were added since. */
export const lifetimeMs = 24 * 3_600_000;
export const expiryCheckIntervalMs = 1_000;
/** Seconds without a sign of life; the engine sends pings by itself. */
export const idleTimeoutSeconds = 60;

/** Sockets of one process, unless configured otherwise; and of one player in it. */
export const defaultSocketsLimit = 18_000;
export const socketsOfPlayer = 5;
/** Sockets whose client has not said who it is yet (O4). */
export const unidentifiedSockets = 1_000;
/** Upgrades that wait for a token to be verified. */
export const pendingAdmissions = 8_192;

/** O4: the time for a client's first message, the default interval of statuses, the size of their parts. */
export const authenticationMs = 5_000;
export const defaultStatusPeriodMs = 2_000;
export const jackpotsOfPart = 100;

/**
 * A player's token is verified again when the wallet's answer is older than this; and how many of a brand at
 * a time.
 */
export const recheckMs = 60_000;
export const maxRechecksOfBrand = 320;

/**
 * Limits of docs/rules/feeds.md "Events of other platforms": events that wait, and bytes handed to sockets a
 * second, in all and of an operator; bytes added for each delivery; and deliveries of a turn.
 */
export const foreignEventLimits = {
  waiting: 8_192,
  waitingOfOperator: 512,
  operators: 10_000,
  bytesPerSecond: 32 * 1_024 * 1_024,
  bytesPerSecondOfOperator: 16 * 1_024 * 1_024,
  bytesOfDelivery: 256,
  deliveriesOfTurn: 256,
  /** Until budgets are looked at again. */
  pauseMs: 20,
} as const;

/** How long unused encodings of tickers are kept. */
export const encodingCacheMs = 10_000;
/** Frames of counted events that are shared by connections which recover within the same second. */
export const recoveryFrames = 20_000;

/** With more waiting bytes a socket is slow: updates skip it, and it is caught up when it drains. */
export const slowAtBytes = 64 * 1_024;
/** A draining socket is fed while fewer bytes than this wait. */
export const feedBelowBytes = 32 * 1_024;
/** Counted events that wait for a slow socket; beyond it the socket is closed. */
export const countedBacklogBytes = 256 * 1_024;

/** Bytes that wait for all slow sockets together; beyond it those with most are cut. */
export const waitingBytesOfAll = 256 * 1_024 * 1_024;

/** How long a slow socket may take to drain before it is cut without a close code. */
export const closingMs = 10_000;

/**
 * A fan-out that leaves to others closes its sockets over this time at most, a slice at a time: they do not
 * all come to the others at once. Few sockets take less.
 */
export const feedHandOverMs = 10_000;
export const sliceEveryMs = 100;
export const minSlice = 20;
/** New sockets a second to which clients are spread where no other fan-out takes them now. */
export const comingBackPerSecond = 1_000;

/** How long a stopping process gives its sockets to read their close. */
export const drainMs = 500;

/** Pause between tries to reach a log that does not answer yet. */
export const retryEveryMs = 200;

/** Questions to gateways about tickets: an answer is waited for this long, this often. */
export const ticketLimits = {
  answerMs: 2_000,
  tries: 2,
  attemptBytes: 12,
  /** Wrong tickets of an address. */
  refusalsOfAddress: { max: 100, windowMs: 10_000, names: 100_000 },
} as const;

/** The public feed's own. Scopes of a brand differ in their currency: each is encoded for itself. */
export const publicLimits = {
  sockets: 15_000,
  ofBrand: 10_000,
  ofAddress: 100,
  scopes: 256,
  scopesOfBrand: 8,
  /** 20 a second, 40 at once. */
  handshakesOfAddress: { max: 40, windowMs: 2_000, names: 100_000 },
  handshakes: { max: 1_000, windowMs: 1_000, names: 1 },
} as const;

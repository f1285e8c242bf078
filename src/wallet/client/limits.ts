/** Limits of the calls to the wallet of one brand (docs/rules/wallets.md "Isolation"). */
export const walletLimits = {
  tryTimeoutMs: 2_000,
  tries: 3,
  firstPauseMs: 50,
  maxPauseMs: 200,
  answerBytes: 64 * 1024,
  /** Twice as many as there are places for calls of every kind: the others pause after an answer. */
  connections: 480,
  restMs: 50,
  keepAliveMs: 30_000,
  /** How long a connection takes calls after its address was checked. */
  connectionLifeMs: 60_000,
  /** Calls for services that are under way, and those that wait. */
  callsAtOnce: 64,
  callsWaiting: 512,
  /**
   * Calls for other callers: in all, of unproven addresses, and those that wait, in all and of one address.
   */
  publicCallsAtOnce: 32,
  unprovenCallsAtOnce: 24,
  publicCallsWaiting: 1_024,
  publicCallsWaitingOfAddress: 384,
  /** Transactions under way, each kind with places of its own. */
  debitsAtOnce: 64,
  cancelsAtOnce: 16,
  creditsAtOnce: 64,
  /** Answers to batches name each record that failed. */
  batchAnswerBytes: 1024 * 1024,
  /** Calls that have waited longer before their turn are not sent: their callers have given up. */
  maxWaitMs: 4_000,
  /** How often a wallet's address that may not be called is told in the log, while it is asked for. */
  alarmIntervalMs: 300_000,
  /** Tries without a known answer, one after the other, after which no more are made for a while. */
  failuresToOpen: 8,
  halfOpenAfterMs: 1_000,
  /**
   * An outage is this long without a known answer. What waited for its end is tried a little after the first
   * known answer: every breaker takes a call by then.
   */
  minOutageMs: 5_000,
  wakeAfterMs: 1_500,
} as const;

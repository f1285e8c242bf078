/** Limits of the calls to wallets (wallet.md, "Per brand"). All are of one brand, so that none slows another. */
export const walletLimits = {
  tryTimeoutMs: 2_000,
  tries: 3,
  firstPauseMs: 50,
  longestPauseMs: 200,
  answerBytes: 64 * 1024,
  connections: 64,
  keepAliveMs: 30_000,
  /** Calls that are under way, and those that wait behind them. */
  callsAtOnce: 64,
  callsWaiting: 512,
  /** Tries without a known answer, one after the other, after which no more are made for a while. */
  failuresToOpen: 8,
  halfOpenAfterMs: 1_000,
  /** Questions of W1 that are under way for all brands together. */
  questionsAtOnce: 8_192,
} as const;

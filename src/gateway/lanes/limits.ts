/** Limits of the way into the lanes (docs/rules/log.md "Batches" and "Back-pressure"). */
export const batchLimits = {
  commands: 256,
  bytes: 64 * 1024,
  /**
   * While fewer are under way, a batch does not wait to fill. Two keep the log busy; more make batches
   * smaller, and each costs a sync, a record and two wake-ups (docs/decisions/0012).
   */
  batchesInFlight: 2,
  /** From one batch to the next at least, where all that wait are contributions of players with wallets. */
  gatherMs: 4,
  /** Turns of the event loop that may go by while each brings more commands: far below a millisecond. */
  idleTurns: 10,
  /** Callers; the commands of fewer share one batch, which costs less than two and comes back sooner. */
  halvedFrom: 96,
  /** How long a batch waits for all of few callers, who come back in about a third of it. */
  callersMs: 2,
  /** The most batches that do not wait after others that waited in vain. */
  maxUnawaited: 64,
  /** After this number of waits that were not in vain, one in vain costs half. */
  forgivingWaits: 16,
  /** The part of the estimate of callers that a batch leaves. */
  rememberedCallers: 0.98,
  /** Commands of a lane that wait for a batch; more are refused. */
  waitingCommands: 8_192,
  /** Bytes of a lane's batches that are sent and not answered; more are refused. */
  sentBytes: 32 * 1024 * 1024,
  /** From the first command of a batch to its acknowledgement, waiting for another batch included. */
  deadlineMs: 5_000,
  /** The least time that a batch keeps for its own way after waiting. */
  minAppendMs: 1_000,
  appendTimeoutMs: 2_000,
  retryDelayMs: 50,
  maxRetryDelayMs: 500,
  /** How long an acknowledged batch waits for the actor's answer before it is rebuilt from the log. */
  answerGraceMs: 500,
  rebuildPollMs: 100,
  /**
   * How far a lane may lag before new commands are refused: by time, by commands, and by its reserve of room
   * (docs/decisions/0058).
   */
  lagMs: 2_000,
  lagCommands: 50_000,
  lagMessages: 4_096,
  lagBytes: 32 * 1024 * 1024,
  /** An owner beats five times a second; one that was not heard for so long is hung, or cannot be heard. */
  silentMs: 5_000,
  /** When to come back to a lane without room, which takes a person to make. */
  fullRetryAfterSeconds: 30,
  queryTimeoutMs: 2_000,
  /** Callers that wait for debits; a brand may have as many as are left (docs/decisions/0273). */
  pendingAnswers: 8_192,
  /** From the deadline of its batch on, a caller waits so much longer for a debit: 6 s in all. */
  pendingGraceMs: 1_000,
  /** The first question for a debit's answer that did not come; the pause doubles. */
  pendingPollMs: 500,
  earlyAnswers: 1_024,
} as const;

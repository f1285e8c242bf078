/** Limits of the execution of debits and credits (docs/rules/wallets.md "Debits", "Credits"). */
export const executionLimits = {
  /** How long before the deadline the last try of W3 ends, so that its report is stored in time. */
  reportWithinMs: 300,
  /** W3 is not tried for a shorter time than this. */
  minTryMs: 50,
  /** Pauses between tries of a debit. */
  firstDebitPauseMs: 50,
  maxDebitPauseMs: 200,
  /** How often debits past their deadline are looked for. */
  cancelEveryMs: 250,
  /** Pauses between tries of W2 and of credits, doubling. */
  firstPauseMs: 500,
  maxEarlyPauseMs: 5_000,
  maxPauseMs: 300_000,
  /** How many answers in a row that confirm W2 in other words than its own are a confirmation. */
  cancellationsInOtherWords: 3,
  /** How long pauses are at most `maxEarlyPauseMs`. */
  earlyMs: 60_000,
  /** How long an unknown credit is repeated; then a person has to look. */
  giveUpAfterMs: 24 * 3_600_000,
  /** Alarms of one brand and kind. */
  alarmEveryMs: 300_000,
  /** Debits, and credits, of a lane in memory; of one brand, as many as are left. Others wait in the lane. */
  heldInLane: 16_384,
  /** Longer than an answer of the lane is on its way. */
  doneMs: 10_000,
  /** Work that is open is asked for again, in case its record was missed or there was no room for it. */
  sweepEveryMs: 60_000,
  /** Where the last sweep left work for want of room. */
  sweepAgainMs: 2_000,
  pageRecords: 500,
  queryTimeoutMs: 2_000,
  retryMs: 250,
  maxRetryMs: 2_000,
  /** UTF-8 of a reason: the report of a batch has one for each record, and fits one message. */
  reasonBytes: 200,
} as const;

/** Limits of reports to the lane. */
export const settlementLimits = {
  /** From one message to the next at least: reports that come meanwhile share it. */
  gatherMs: 5,
  /** Credits of one message; a debit counts as several, because it applies a contribution. */
  messageWeight: 1_024,
  /** Bytes of the commands. The log takes messages of 256 KiB, headers among them. */
  messageBytes: 256_000,
  debitWeight: 8,
  creditsPerCommand: 200,
  retryMs: 50,
  maxRetryMs: 1_000,
} as const;

/** Limits of deliveries (docs/rules/callbacks.md "Limits"). */
export const outboxLimits = {
  /** From the connection to the last byte of the answer. */
  tryTimeoutMs: 5_000,
  answerBytes: 64 * 1024,
  inFlightPerHost: 8,
  /** Connections in use, and those that pause after an answer. */
  connectionsPerHost: 64,
  restMs: 50,
  inFlightPerOperator: 64,
  inFlight: 1_024,
  keepAliveMs: 30_000,
  /** How long a connection takes requests after its address was checked. */
  connectionLifeMs: 60_000,
  /** Connections to hosts that were not used for this long end. */
  unusedHostMs: 120_000,
  /** First tries that wait for one receiver; others are stored and wait there. */
  firstTriesWaiting: 32,
  /** Events of an operator that wait in memory for the one before; the next ones are left to a backlog. */
  eventsWaitingPerOperator: 64,
  /** How long the thresholds of an instance are known without being asked for. */
  thresholdsForMs: 600_000,
  /** How soon a backlog looks again whether an event that others wait for has left. */
  heldPauseMs: 2_000,
  /** A subscription that is younger when a lane begins may have missed events of it. */
  newSubscriptionMs: 60_000,
  /** Callbacks of a receiver, and of an operator, that have entries in a lane. More are left to a backlog. */
  storedPerReceiver: 1_000,
  storedPerOperator: 10_000,
  /** Backlogs of a lane that are walked at a time, how long a turn is, and sends of each at a time. */
  backlogsAtOnce: 8,
  backlogTurnMs: 10_000,
  backlogSendsAtOnce: 8,
  /** How often the number of a backlog's callbacks is stored at most. */
  backlogCountEveryMs: 5_000,
  /** A backlog has this many of the schedule's pauses, then the last of them again and again: 10 minutes. */
  backlogPauses: 4,
  /** As long as the log keeps records. */
  backlogLifeMs: 35 * 86_400_000,
  /** Tries without an answer, one after the other, after which only one try at a time probes the receiver. */
  failuresToOpen: 5,
  probeEveryMs: 2_000,
  /** Deliveries of a lane that are in memory with their content. */
  unstoredPerLane: 2_048,
  /** Outcome records of a lane that are being read. */
  recordsAtOnce: 64,
  /** How often a lane's cursor is written at most. */
  cursorEveryMs: 500,
  /** How often a lane's open flushes are compared with the stored ones, and how many one answer has. */
  flushesEveryMs: 60_000,
  flushesAtOnce: 500,
  /** How soon after its end a failed flush goes back to its pool. */
  failedFlushPauseMs: 5_000,
  /** How soon the outcome record of a settlement is looked for. */
  minRecordPauseMs: 5,
  /** Replays of a lane: unfinished ones, and finished ones of an operator. */
  replaysWaiting: 1_000,
  replaysKept: 64,
  /** Operators whose replays run side by side, and for how long until others have their turn. */
  replaysAtOnce: 8,
  replayTurnMs: 10_000,
  /** Deliveries of a replay at a time, and records after which its progress is written. */
  replayedAtOnce: 8,
  recordsPerProgress: 50,
  /** Questions of gateways that are being answered for a lane. */
  questionsAtOnce: 8,
  /** How long a lane that is given up waits for what is under way, and how often it looks. */
  drainMs: 2_000,
  drainCheckMs: 50,
  /** Outages of the log: how long a lane pauses before it asks again. */
  minPauseMs: 100,
  maxPauseMs: 2_000,
} as const;

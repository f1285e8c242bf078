/** Limits of the reporting role. */
export const reportingLimits = {
  /** Rows that one transaction writes; one message may bring more. */
  batchRows: 5_000,
  /** Messages of a transaction, also where they bring no rows. */
  batchMessages: 2_000,
  /** How often the log is asked for what is new. */
  readEveryMs: 500,
  /** The same while nothing comes. */
  readQuietEveryMs: 2_000,
  /** Messages wait for others to share their transaction. */
  gatherMs: 100,
  minPauseMs: 100,
  /** Between tries to reach the log or the database. */
  maxPauseMs: 5_000,
  /** A lane whose books stopped for a person is looked at again. */
  faultPauseMs: 30_000,
  alarmEveryMs: 3_600_000,
  watchEveryMs: 10_000,
  /** How often the streams beside the lanes are asked for what is new. */
  sideEveryMs: 5_000,
  /** How often the role looks whether its hour of the nightly check has come. */
  checkPollMs: 60_000,
  /** How often the role looks whether an hour has closed, whose Parquet files it then writes. */
  filesEveryMs: 60_000,
  /** Closed days of a nightly check: a missed night is made up for. */
  checkedDays: 3,
  /** Findings of a lane that have a log line of their own. */
  namedFindings: 20,
  /** Messages that books made anew may lack when they take the place of the old ones. */
  rebuildNearEnd: 2_000,
  rebuildPollMs: 500,
  progressEveryMs: 5_000,
  /** Questions of gateways that a process has at a time. */
  questionsAtOnce: 32,
  /** Connections to the database by which they are answered. */
  questionConnections: 4,
  /** A statement that answers one: the gateway waits a little longer. */
  questionWithinMs: 6_000,
  /** A thread that has not answered by then is ended. */
  questionHangsMs: 60_000,
  /** Simulations that are not over, of all accounts, and of the owners of one operator. */
  simulations: 8,
  simulationsOfOperator: 3,
  /** A million contributions take a minute or two of an idle core. */
  simulationWithinMs: 300_000,
  simulationHeapMb: 256,
  simulationProgressMs: 200,
  /** How long, and how many, of those that are over. */
  simulationKeptMs: 3_600_000,
  simulationsKept: 200,
  /** Questions about places of lanes that a process has at a time; one is worked on. */
  placesAtOnce: 4,
  /** What one of them may replay. */
  placeWithinMs: 2_500,
  /** Replays leave a copy of the state behind as often as this, for who wants to see what was before. */
  placeCopyMs: 500,
  /** All copies together; beside them one lane's state is in memory. */
  placeCopiesBytes: 64 * 1024 * 1024,
  /** For so long they count as those that there are. */
  placeSnapshotsMs: 30_000,
  /** A thread without questions ends, with all of its memory. */
  placesIdleMs: 120_000,
  /** Rows of an instance that the intervals of one history are added up from. */
  historyRows: 10_000,
  /** And daily balances, where these are too many. */
  historyBalances: 100_000,
} as const;

/** Limits of contribution streams (docs/rules/streams.md "Limits"). */
export const streamLimits = {
  lineBytes: 64 * 1024,
  /** Open at a gateway. An operator may have as many as are free. */
  streams: 128,
  /** Lines under way, of all streams of a gateway: shared by operators, then by their streams. */
  lines: 1_024,
  /** A stream may always have these. */
  minLines: 16,
  /** About what the lines of a stream that are under way hold, with their results. One line may exceed it. */
  bytes: 2 * 1024 * 1024,
  /** A stream's lines that wait for a wallet, or for the log where a key was met before. */
  slowLines: 64,
  /** While more of the results wait for the caller to read, no line is taken. */
  unwrittenBytes: 256 * 1024,
  /** Before others get their turn. */
  linesPerTurn: 64,
  /** How long no line is taken after one that the lane or the log refused for lack of room. */
  refusalPauseMs: 50,
} as const;

/** Limits of event streams (docs/rules/feeds.md "Public feed", docs/rules/http.md "Events for screens"). */
export const eventStreamLimits = {
  connectMs: 2_000,
  /** A frame of the fan-out, and its answer to a handshake that it refuses. */
  frameBytes: 1024 * 1024,
  refusalBytes: 4 * 1024,
  /** How often a stream says something. */
  commentMs: 15_000,
  /** When a client comes back; at random in between, so that all of a gateway do not come together. */
  retryMs: { from: 500, to: 3_000 },
  /** How long an id of a new instance waits for those of others. */
  idMs: 100,
  /** Instances of an id, and what it may take of a client's header and of our message to the fan-out. */
  idInstances: 64,
  idBytes: 3_000,
  /** Hints for administrators: streams of a gateway and of an account, and how often each has its turn. */
  hintStreams: 200,
  hintStreamsOfAccount: 16,
  hintsEveryMs: 500,
  /** How often such a stream says something: a client that is gone without a word is noticed so. */
  hintCommentMs: 5_000,
  /** Changed things of a kind and an owner, or of a stream, that have an event each. */
  hintIds: 100,
  /** A client that does not read for so long has gone. */
  readWithinMs: 60_000,
} as const;

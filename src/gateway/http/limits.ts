/** Limits of the HTTP front (docs/rules/http.md "Limits"). */
export const httpLimits = {
  bodyBytes: 64 * 1024,
  urlBytes: 2 * 1024,
  /** Identity providers send codes of 2 KiB back with a browser. */
  returnUrlBytes: 4 * 1024,
  headerBytes: 8 * 1024,
  headerFields: 64,
  headersTimeoutMs: 5_000,
  bodyTimeoutMs: 10_000,
  handlerTimeoutMs: 8_000,
  keepAliveTimeoutMs: 65_000,
  /** How often the server looks for requests that take too long to arrive. */
  timeoutCheckMs: 500,
  /** Each costs a call of Node's parser; with more, the request is the last of its connection. */
  emptyLines: 256,
  /** While more wait for the caller to read, no request of the connection is read. */
  unwrittenBytes: 64 * 1024,
  connections: 20_000,
  connectionsOfAddress: 2_000,
  proxiedSockets: 10_000,
  proxiedSocketsOfAddress: 1_000,
  publicFeeds: 5_000,
  publicFeedsOfAddress: 100,
  fanoutConnectTimeoutMs: 2_000,
  drainMs: 10_000,
  /** How long a gateway that hands over serves those who have not gone to another one yet. */
  handOverMs: 3_000,
  handOverCheckMs: 20,
  /** Feeds leave within that time, N at once at least. */
  leaveFeedsMs: 2_000,
  leaveSliceEveryMs: 100,
  leaveSliceFeeds: 50,
  /** How long requests on open connections still learn that the gateway is shutting down. */
  drainGraceMs: 100,
  /** How long a browser may keep the answer to a preflight. */
  preflightSeconds: 600,
  publicGetsPerSecond: 100,
  administratorWritesPerSecond: 200,
  administratorBurstSeconds: 5,
  countedAdministrators: 10_000,
  /** Above this, a body of an administrator waits for its turn. */
  largeBodyBytes: 4 * 1024,
  /** Handled at once, and each second while the event loop has time to spare or is busy. */
  largeBodyBurstBytes: 256 * 1024,
  largeBodyBytesPerSecond: 2 * 1024 * 1024,
  largeBodyBytesPerBusySecond: 64 * 1024,
  /** The same of rate tables, which are work for every lane and every role. */
  rateTableBytesPerSecond: 32 * 1024,
  rateTableBytesPerBusySecond: 16 * 1024,
  busyUtilization: 0.5,
  utilizationSampleMs: 500,
  largeBodyCheckMs: 20,
  largeBodiesWaiting: 64,
  largeBodiesWaitingOfAdministrator: 8,
  countedAddresses: 100_000,
  /** Refusals of an address or operator that are answered at once, and given back each second. */
  promptRefusals: 1_000,
  promptRefusalsPerSecond: 10,
  /** Later with each further hundred, up to a maximum; up to half is taken off at random. */
  refusalDelayMs: 100,
  refusalsPerDelay: 100,
  maxRefusalDelayMs: 1_000,
  /** Such answers that wait at once: of a caller, and in all. Beyond, the connection ends with the answer. */
  delayedRefusalsOfCaller: 256,
  delayedRefusals: 4_096,
} as const;

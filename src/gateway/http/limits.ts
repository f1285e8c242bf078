/** Limits of the HTTP front (docs/rules/http.md "Limits"). */
export const httpLimits = {
  bodyBytes: 64 * 1024,
  urlBytes: 2 * 1024,
  headerBytes: 8 * 1024,
  headerFields: 64,
  headersTimeoutMs: 5_000,
  bodyTimeoutMs: 10_000,
  handlerTimeoutMs: 8_000,
  keepAliveTimeoutMs: 65_000,
  /** How often the server looks for requests that take too long to arrive. */
  timeoutCheckMs: 500,
  /** Requests of a connection that wait for the answer before theirs: so many, and no more is read; and so many at all. */
  pipelinedRequests: 64,
  mostPipelinedRequests: 1_024,
  /** Of a connection: while more wait for the caller to read, no request of it is read. */
  unwrittenBytes: 64 * 1024,
  connections: 20_000,
  connectionsOfAddress: 2_000,
  proxiedSockets: 10_000,
  proxiedSocketsOfAddress: 1_000,
  fanoutConnectTimeoutMs: 2_000,
  drainMs: 10_000,
  /** In which requests on open connections are still told that the gateway is shutting down. */
  drainGraceMs: 100,
  publicGetsPerSecond: 100,
  countedAddresses: 100_000,
} as const;

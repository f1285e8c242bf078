/** Connections whose credentials nats-server refuses, for the probes and metrics of the process. */
const refused = new Set<object>();

/** Notes whether a connection is refused now. */
export function setRefused(connection: object, isRefused: boolean): void {
  if (isRefused) refused.add(connection);
  else refused.delete(connection);
}

/** How many connections are refused now. */
export function refusedConnections(): number {
  return refused.size;
}

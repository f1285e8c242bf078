/**
 * * Connections of this process that nats-server refuses because of their credentials. An adapter notices it;
 * the probes and metrics of the process show it.
 */
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

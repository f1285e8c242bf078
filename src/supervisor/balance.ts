/** By how many connections, or which part of it, a gateway may exceed its share. */
const toleratedConnections = 2;
const toleratedPart = 0.25;

/**
 * How many connections each gateway is to give away; empty: they are spread well enough. The kernel gives a
 * connection to whichever process is there first, and a gateway that comes back has none
 * (docs/decisions/0364).
 */
export function surplusOf(connections: ReadonlyMap<string, number>): Map<string, number> {
  const total = [...connections.values()].reduce((sum, count) => sum + count, 0);
  const share = Math.ceil(total / Math.max(1, connections.size));
  const tolerated = Math.max(toleratedConnections, share * toleratedPart);
  const surplus = [...connections].map(([name, count]) => [name, count - share] as const);
  return new Map(surplus.filter(([, count]) => count >= tolerated));
}

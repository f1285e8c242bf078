const nanosPerMs = 1_000_000;
/** A leader hears every second of each replica that it reaches. */
const maxSilenceMs = 3_500;

/** What nats-server says of the copies of a stream; absent without a cluster. */
export interface ClusterState {
  readonly leader?: string;
  readonly replicas?: readonly { readonly active: number; readonly offline?: boolean }[];
}

/**
 * Whether a majority of the copies speaks here. A server that is cut off from its cluster answers from its
 * own copy, at first as a leader that hears no other and then without a leader: what it says may be old.
 */
export function isOfMajority({ leader, replicas = [] }: ClusterState = {}): boolean {
  if (replicas.length === 0) return true;
  const observed = replicas.filter(
    ({ active, offline }) => offline !== true && active <= maxSilenceMs * nanosPerMs,
  );
  return leader !== undefined && 2 * (observed.length + 1) > replicas.length + 1;
}

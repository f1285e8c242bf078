import type { LaneComponents } from './components.ts';
import type { Halt } from './halt.ts';
import type { OwnershipState } from './ownership/ownership.ts';

/** How a lane stands in this host; for probes, metrics and tests. */
export interface HostedLaneStatus {
  readonly lane: number;
  readonly ownership: OwnershipState;
  readonly term: number;
  readonly caughtUp: boolean;
  readonly appliedSequence: number;
  /** The version of the engine that the lane has; 0 before it is recovered. */
  readonly engineVersion: number;
  readonly storedOutcome: number;
  readonly pendingRecords: number;
  /** The stream that has no room for contributions; '' while they are taken. */
  readonly full: string;
  /** Why the lane stopped; null while it goes on. */
  readonly stopped: string | null;
  readonly halted: boolean;
}

/** The status of a lane in one life of its host; null: not recovered yet, or not ended. */
export function statusOf(
  lane: number,
  components: LaneComponents | null,
  caughtUp: boolean,
  end: LaneEnd | null,
): HostedLaneStatus {
  return {
    lane,
    ownership: components?.ownership.state ?? 'following',
    term: components?.ownership.term ?? 0,
    caughtUp,
    appliedSequence: components?.replica.appliedSequence ?? 0,
    engineVersion: components?.replica.engine.engineVersion ?? 0,
    storedOutcome: components?.emitter.storedOutcome ?? 0,
    pendingRecords: components?.emitter.pendingRecords ?? 0,
    full: components?.capacity.condition.code ?? '',
    stopped: end === null ? null : reasonOf(end),
    halted: end?.kind === 'halted',
  };
}

/** How a lane's hosting ended. */
export type LaneEnd =
  | { readonly kind: 'drained' }
  /**
   * The log, the state or a message is not as it must be: a person has to look, and the lane must not
   * continue from what is left.
   */
  | ({ readonly kind: 'halted' } & Halt)
  /** A quarantine came that this replica did not know: it has to be replayed anew. */
  | { readonly kind: 'superseded' };

function reasonOf(end: LaneEnd): string {
  if (end.kind === 'halted') return end.code;
  return end.kind;
}

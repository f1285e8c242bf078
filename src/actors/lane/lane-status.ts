import type { OwnershipState } from '../ownership/ownership.ts';
import type { Halt } from './halt.ts';

/** How a lane stands in this host; for probes, metrics and tests. */
export interface LaneStatus {
  readonly lane: number;
  readonly ownership: OwnershipState;
  readonly term: number;
  readonly caughtUp: boolean;
  readonly appliedSequence: number;
  readonly storedOutcome: number;
  readonly pendingRecords: number;
  /** The stream that has no room for contributions; '' while they are taken. */
  readonly full: string;
  /** Why the lane stopped; null while it goes on. */
  readonly stopped: string | null;
  /** Whether the lane halted: the others go on, and somebody has to look. */
  readonly halted: boolean;
}

/** How a lane's hosting ended. */
export type LaneEnd =
  /** It was asked to. */
  | { readonly kind: 'drained' }
  /**
   * The log, the state or a message is not as it must be: a person has to look, and the lane must not continue from
   * what is left.
   */
  | ({ readonly kind: 'halted' } & Halt)
  /** A quarantine came that this replica did not know: it has to be replayed anew. */
  | { readonly kind: 'superseded' };

/** Why a lane ended, in one word. */
export function reasonOf(end: LaneEnd): string {
  if (end.kind === 'halted') return end.code;
  return end.kind;
}

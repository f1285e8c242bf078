import type { OwnershipState } from './ownership.ts';

/** How a lane stands in this host; for probes, metrics and tests. */
export interface LaneStatus {
  readonly lane: number;
  readonly ownership: OwnershipState;
  readonly epoch: number;
  readonly caughtUp: boolean;
  readonly appliedSequence: number;
  readonly storedOutcome: number;
  readonly pendingRecords: number;
  /** Why the lane stopped; null while it goes on. */
  readonly stopped: string | null;
}

/** How a lane's hosting ended. */
export type LaneEnd =
  /** It was asked to. */
  | { readonly kind: 'drained' }
  /** The log or the state is not what it must be: somebody has to look, and nothing goes on from "what is there". */
  | { readonly kind: 'alarmed'; readonly code: string; readonly message: string }
  /** A bug: whoever supervises the process decides. */
  | { readonly kind: 'crashed'; readonly error: unknown };

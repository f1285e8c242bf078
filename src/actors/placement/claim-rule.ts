import type { LanePlacement } from '../../contracts/lanes/place-lanes.ts';

/** An owner whose heartbeats, five a second, stay away for this long has failed. */
export const ownerFailedMs = 1_000;
/** An owner that missed a heartbeat may be gone: nats-server is asked. */
export const askAfterMs = 250;
/** A lane that is further behind than this is not warm enough for a move. */
export const maxMoveLag = 1_000;
/** A host keeps up this long before it takes a lane from a live owner (docs/decisions/0300). */
export const warmAfterMs = 1_000;

export interface ClaimFacts {
  readonly self: string;
  readonly placement: LanePlacement;
  /** Who owned the lane last, by heartbeats and claims; null: no host that is known here. */
  readonly owner: string | null;
  /** Since the last heartbeat of an owner, or since this host listens. */
  readonly silentMs: number;
  readonly isGone: boolean;
  readonly isHeard: boolean;
  /** A live host other than this one announced that it owns the lane. */
  readonly isLeasedElsewhere: boolean;
  readonly lag: number;
  /** How long this host has been no further behind than `maxMoveLag`. */
  readonly keptUpMs: number;
}

/** `claim`: no host owns the lane. `move`: its owner lives, but the lane should be here. */
export type ClaimDecision = 'wait' | 'claim' | 'move';

/**
 * Whether this host, which follows the lane and has caught up, may claim it now. A wrong answer costs a
 * needless change of the owner and nothing else: the fence is the outcome stream.
 */
export function decideClaim(facts: ClaimFacts): ClaimDecision {
  const { self, placement, owner, silentMs, isGone, isHeard, isLeasedElsewhere } = facts;
  const hasFailed = isGone || silentMs >= ownerFailedMs;
  const isPlacedOwner = placement.owner === self;
  if (!isPlacedOwner && placement.standby !== self) return 'wait';
  const isOwnedElsewhere = owner !== null && owner !== self;
  if (isOwnedElsewhere && !hasFailed) {
    return isPlacedOwner && isHeard && isWarm(facts) ? 'move' : 'wait';
  }
  // A host that never heard an owner with a live lease is deaf, or the owner is mute: they would take the
  // lane in turns.
  if (isOwnedElsewhere && !isHeard && isLeasedElsewhere) return 'wait';
  if (hasFailed) return 'claim';
  return isPlacedOwner && !isOwnedElsewhere && !isLeasedElsewhere ? 'claim' : 'wait';
}

function isWarm({ lag, keptUpMs }: ClaimFacts): boolean {
  return lag <= maxMoveLag && keptUpMs >= warmAfterMs;
}

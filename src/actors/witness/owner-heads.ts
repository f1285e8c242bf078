import { equalBytes, toHex } from '../../lib/bytes.ts';
import type { Heartbeat } from '../../messages/bus-messages.ts';
import type { Replica } from '../replica/replica.ts';

/** A lane's owner and this follower have different states. This host must not continue. */
export class StandbyDiverged extends Error {
  readonly code = 'standby_diverged';
  readonly retryable = false;
}

interface OwnerHead {
  readonly sequence: number;
  readonly laneHead: Uint8Array;
}

/**
 * Compares the lane heads of a follower with those of the owner's heartbeats. A lane head depends on every
 * record before it, so a comparison now and then finds every difference (docs/decisions/0350).
 */
export class OwnerHeads {
  readonly #recentHead: (sequence: number) => Uint8Array | null;
  /** A head that this host has yet to reach. */
  #next: OwnerHead | null = null;

  /** `recentHead`: this host's head at an earlier sequence, while it still knows it. */
  constructor(recentHead: (sequence: number) => Uint8Array | null) {
    this.#recentHead = recentHead;
  }

  /** @throws StandbyDiverged */
  observe({ appliedSequence: sequence, laneHead }: Heartbeat, replica: Replica): void {
    if (laneHead === undefined) return;
    if (sequence > replica.appliedSequence) {
      this.#next ??= { sequence, laneHead };
      return;
    }
    const ours = sequence === replica.appliedSequence ? replica.laneHead : this.#recentHead(sequence);
    if (ours !== null) requireEqual({ sequence, laneHead }, ours);
  }

  /** After each message. @throws StandbyDiverged */
  applied(sequence: number, laneHead: Uint8Array): void {
    if (this.#next === null || this.#next.sequence > sequence) return;
    const next = this.#next;
    this.#next = null;
    if (next.sequence === sequence) requireEqual(next, laneHead);
  }
}

function requireEqual({ sequence, laneHead }: OwnerHead, ours: Uint8Array): void {
  if (equalBytes(laneHead, ours)) return;
  throw new StandbyDiverged(
    `At sequence ${sequence} this host has the lane head ${toHex(ours)}, and the owner ${toHex(laneHead)}. This host stops following the lane; the owner serves it.`,
  );
}

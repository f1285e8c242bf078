import { toHex } from '../../lib/bytes.ts';
import type { LanePorts } from '../ports.ts';
import type { LaneReplica } from '../replica/lane-replica.ts';

const pollIntervalMs = 1000;

/**
 * Shows a lane's head to the witness once a second, when its OUT record is stored: of a lane that this host owns, or
 * follows (docs/decisions/0312). Nothing is done for a message.
 */
export class LaneWitness {
  readonly #replica: LaneReplica;
  readonly #storedOutcome: () => number;
  readonly #ports: LanePorts;
  #candidate: { readonly sequence: number; readonly laneHead: Uint8Array } | null = null;
  #shown = 0;
  #cancel: (() => void) | null = null;

  constructor(replica: LaneReplica, storedOutcome: () => number, ports: LanePorts) {
    this.#replica = replica;
    this.#storedOutcome = storedOutcome;
    this.#ports = ports;
  }

  start(): void {
    this.#cancel?.();
    this.recordHead();
    this.#cancel = this.#ports.clock.after(pollIntervalMs, () => this.start());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Shows the head that is stored by now. */
  recordHead(): void {
    const { appliedSequence, laneHead, lane } = this.#replica;
    const isOutside = this.#candidate === null || this.#storedOutcome() >= appliedSequence;
    if (isOutside && appliedSequence > this.#shown) this.#candidate = { sequence: appliedSequence, laneHead };
    const candidate = this.#candidate;
    if (candidate === null || this.#storedOutcome() < candidate.sequence) return;
    this.#candidate = null;
    this.#shown = candidate.sequence;
    const { clock, witness } = this.#ports;
    const head = toHex(candidate.laneHead);
    witness.seen({ lane, sequence: candidate.sequence, head, atMs: clock.nowMs() });
  }
}

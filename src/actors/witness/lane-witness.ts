import { toHex } from '../../lib/bytes.ts';
import type { ActorPorts } from '../ports/actor-ports.ts';
import type { Replica } from '../replica/replica.ts';

const pollIntervalMs = 1000;

interface Candidate {
  readonly sequence: number;
  readonly laneHead: Uint8Array;
}

/**
 * Shows a lane's head to the witness once its OUT record is stored: of a lane that this host owns, or follows
 * (docs/decisions/0072). Once a second in any case.
 */
export class LaneWitness {
  readonly #replica: Replica;
  readonly #storedOutcome: () => number;
  readonly #ports: ActorPorts;
  /** A head whose record is on its way to OUT: the newest one when the one before was shown. */
  #candidate: Candidate | null = null;
  #shown = 0;
  #cancel: (() => void) | null = null;

  readonly #show = () => this.recordHead();

  constructor(replica: Replica, storedOutcome: () => number, ports: ActorPorts) {
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

  /** More of OUT is stored. */
  stored(): void {
    if (this.#cancel !== null) this.#ports.witness.soon(this.#show);
  }

  /** Shows the newest head that is stored by now and known here. */
  recordHead(): void {
    const { appliedSequence, laneHead } = this.#replica;
    const stored = this.#storedOutcome();
    if (stored >= appliedSequence) this.#candidate = { sequence: appliedSequence, laneHead };
    if (this.#candidate !== null && this.#candidate.sequence <= stored) this.#showCandidate(this.#candidate);
    this.#candidate ??= { sequence: appliedSequence, laneHead };
  }

  #showCandidate({ sequence, laneHead }: Candidate): void {
    this.#candidate = null;
    if (sequence <= this.#shown) return;
    this.#shown = sequence;
    const { clock, witness } = this.#ports;
    witness.seen({ lane: this.#replica.lane, sequence, head: toHex(laneHead), atMs: clock.nowMs() });
  }
}

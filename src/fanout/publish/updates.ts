import type { KnownInstance } from '../../directory/lane-view.ts';
import type { Replica } from '../../directory/replica.ts';
import { Conflation } from './conflation.ts';

/** Which JackpotUpdates are due, and in which round each instance was last published. */
export class Updates {
  readonly conflation = new Conflation();
  readonly #replica: Replica;
  readonly #nowMs: () => number;
  readonly #publishedRound = new Map<string, number>();
  #round = 0;

  constructor(replica: Replica, nowMs: () => number) {
    this.#replica = replica;
    this.#nowMs = nowMs;
  }

  /** The round that is being published, or was last. */
  get round(): number {
    return this.#round;
  }

  /** Begins a round: the instances to publish now. */
  takeDue(): KnownInstance[] {
    this.#round += 1;
    const due: KnownInstance[] = [];
    for (const instance of this.conflation.take(this.#nowMs())) {
      const known = this.#replica.known(instance);
      if (known === undefined) continue;
      this.#publishedRound.set(instance, this.#round);
      due.push(known);
    }
    return due;
  }

  publishedAfter(round: number): string[] {
    const instances: string[] = [];
    for (const [instance, published] of this.#publishedRound) if (published > round) instances.push(instance);
    return instances;
  }
}

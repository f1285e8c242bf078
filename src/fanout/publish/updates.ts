import type { KnownInstance } from '../../directory/lane-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { Conflation } from './conflation.ts';

/** Which JackpotUpdates are due, and in which round each instance was last published. */
export class Updates {
  readonly conflation = new Conflation();
  readonly #readModel: ReadModel;
  readonly #elapsedMs: () => number;
  readonly #publishedRound = new Map<string, number>();
  #round = 0;

  constructor(readModel: ReadModel, elapsedMs: () => number) {
    this.#readModel = readModel;
    this.#elapsedMs = elapsedMs;
  }

  /** The round that is being published, or was last. */
  get round(): number {
    return this.#round;
  }

  /** Begins a round: the instances to publish now. */
  drainDue(): KnownInstance[] {
    this.#round += 1;
    const due: KnownInstance[] = [];
    for (const instance of this.conflation.take(this.#elapsedMs())) {
      const known = this.#readModel.known(instance);
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

import type { KnownInstance } from '../../directory/lane-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { conflationMs, refreshMs } from '../base/limits.ts';

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

/**
 * When each instance's update is due: on change at most once in `conflationMs`, without a change after
 * `refreshMs`. The newest value is read when it is sent.
 */
export class Conflation {
  /** Instance → when it was last sent; the longest ago first. */
  readonly #sentMs = new Map<string, number>();
  readonly #changed = new Set<string>();

  /** The instance moved, or is new. */
  touch(instance: string): void {
    this.#changed.add(instance);
  }

  /** The instances to send now; they count as sent. */
  take(nowMs: number): string[] {
    const due: string[] = [];
    for (const instance of this.#changed) {
      const sentMs = this.#sentMs.get(instance);
      if (sentMs === undefined || nowMs - sentMs >= conflationMs) due.push(instance);
    }
    for (const [instance, sentMs] of this.#sentMs) {
      if (nowMs - sentMs < refreshMs) break;
      if (!this.#changed.has(instance)) due.push(instance);
    }
    for (const instance of due) {
      this.#changed.delete(instance);
      this.#sentMs.delete(instance);
      this.#sentMs.set(instance, nowMs);
    }
    return due;
  }
}

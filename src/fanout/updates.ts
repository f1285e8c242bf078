import type { KnownInstance } from '../directory/lane-view.ts';
import type { Replica } from '../directory/replica.ts';
import { Conflation } from './conflation.ts';
import { conflationMs } from './limits.ts';
import type { Scope } from './scope.ts';
import { encodeUpdate } from './ticker.ts';

interface Encoded {
  readonly headline: KnownInstance['headline'];
  readonly version: number;
  readonly atMs: number;
  readonly frame: Buffer;
}

/** The JackpotUpdates: which are due, and the newest frame of each, encoded once however many sockets get it. */
export class Updates {
  readonly conflation = new Conflation();
  readonly #replica: Replica;
  readonly #nowMs: () => number;
  readonly #frames = new Map<string, Encoded>();
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

  /** The newest frame; at most `conflationMs` old, so that what hangs on the directory shows too. */
  frame(known: KnownInstance, scope: Scope): Buffer {
    const key = `${scope.updateEncoding} ${known.description.instance}`;
    const nowMs = this.#nowMs();
    const cached = this.#frames.get(key);
    if (
      cached !== undefined &&
      cached.headline === known.headline &&
      cached.version === known.description.version &&
      nowMs - cached.atMs < conflationMs
    )
      return cached.frame;
    const frame = encodeUpdate(this.#replica, known, nowMs);
    this.#frames.set(key, {
      headline: known.headline,
      version: known.description.version,
      atMs: nowMs,
      frame,
    });
    return frame;
  }

  /** The frame that says whether `since` could be honoured. */
  snapshotFrame(known: KnownInstance, recovered: boolean): Buffer {
    return encodeUpdate(this.#replica, known, this.#nowMs(), recovered);
  }
}

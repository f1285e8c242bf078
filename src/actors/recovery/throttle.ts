import { pause } from '../../lib/pauses.ts';
import type { Clock } from '../../ports.ts';

const recordsPerSlice = 128;

/** Paces work beside the lane: pauses after each slice, in proportion to its duration. */
export class Throttle {
  readonly #clock: Clock;
  readonly #pausePerSliceMs: () => number;
  #records = 0;

  constructor(clock: Clock, pausePerSliceMs: () => number) {
    this.#clock = clock;
    this.#pausePerSliceMs = pausePerSliceMs;
  }

  async worked(records: number): Promise<void> {
    this.#records += records;
    if (this.#records < recordsPerSlice) return;
    const pauseMs = Math.ceil((this.#records * this.#pausePerSliceMs()) / recordsPerSlice);
    this.#records = 0;
    await pause(this.#clock, pauseMs);
  }
}

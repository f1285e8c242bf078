import type { Clock } from '../lib/ports.ts';
import { pause } from './waiting.ts';

/** About a millisecond of work; then the lane has the core for eight times as long, as long as nothing piles up. */
const recordsPerSlice = 128;
const pausePerSliceMs = 8;
const hurriedPausePerSliceMs = 1;

/** Paces work beside the lane's own: after each slice it gives way, in proportion to what was done. */
export class Pace {
  readonly #clock: Clock;
  readonly #hurries: () => boolean;
  #records = 0;

  /** `hurries` says whether the work falls behind: the pauses are then short. */
  constructor(clock: Clock, hurries: () => boolean) {
    this.#clock = clock;
    this.#hurries = hurries;
  }

  /** So many records were worked on without a pause. */
  async worked(records: number): Promise<void> {
    this.#records += records;
    if (this.#records < recordsPerSlice) return;
    const perSliceMs = this.#hurries() ? hurriedPausePerSliceMs : pausePerSliceMs;
    const pauseMs = Math.ceil((this.#records * perSliceMs) / recordsPerSlice);
    this.#records = 0;
    await pause(this.#clock, pauseMs);
  }
}

import { pause } from './pause.ts';

type Clock = Parameters<typeof pause>[0];

/** About a millisecond of work; then others have the core. */
const bytesPerSlice = 64 * 1024;

/** Keeps work on bytes to a speed: a slice of it, and a pause for as long as the slice may take. */
export class PacedBytes {
  readonly #clock: Clock;
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async worked(bytes: number, bytesPerSecond: number): Promise<void> {
    this.#bytes += bytes;
    if (this.#bytes < bytesPerSlice) return;
    const pauseMs = Math.ceil((this.#bytes * 1000) / bytesPerSecond);
    this.#bytes = 0;
    await pause(this.#clock, pauseMs);
  }
}

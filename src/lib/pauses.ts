/** Resolves after `delayMs` of the given clock. */
export function pause(
  clock: { after(delayMs: number, task: () => void): unknown },
  delayMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

/** Pauses that end early when they are woken. */
export class WakeablePauses {
  readonly #clock: { after(delayMs: number, task: () => void): () => void };
  readonly #ends = new Set<() => void>();

  constructor(clock: { after(delayMs: number, task: () => void): () => void }) {
    this.#clock = clock;
  }

  /** Resolves after `delayMs`, or when it is woken. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#ends.delete(end);
        resolve();
      };
      const cancel = this.#clock.after(delayMs, end);
      this.#ends.add(end);
    });
  }

  /** Ends all pauses that are under way. */
  wake(): void {
    for (const end of this.#ends) end();
  }
}

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

/** Milliseconds to the multiple of the period nearest to one from now: equal periods then share a wake-up. */
export function alignedDelayMs(nowMs: number, everyMs: number): number {
  const delayMs = everyMs - (nowMs % everyMs);
  return delayMs < everyMs / 2 ? delayMs + everyMs : delayMs;
}

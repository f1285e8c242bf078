import type { Pace } from '../../../sdk/src/retry.ts';

/** Time that moves only by waiting, and what was waited. */
export function stillPace(random = 0): Pace & { readonly waits: number[]; passMs(durationMs: number): void } {
  let nowMs = 0;
  const waits: number[] = [];
  return {
    waits,
    passMs: (durationMs) => {
      nowMs += durationMs;
    },
    nowMs: () => nowMs,
    random: () => random,
    async wait(delayMs, signal) {
      signal?.throwIfAborted();
      waits.push(delayMs);
      nowMs += delayMs;
    },
  };
}

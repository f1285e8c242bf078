import { setTimeout as sleep } from 'node:timers/promises';

const firstPauseMs = 100;
const maxPauseMs = 3000;

/** Growing pauses with jitter, between `maxPauseMs / 2` and `maxPauseMs` in the end. */
export function createBackOff(): { wait(stopped: AbortSignal): Promise<void> } {
  let ceilingMs = firstPauseMs;
  return {
    async wait(stopped) {
      const pauseMs = ceilingMs / 2 + (Math.random() * ceilingMs) / 2;
      ceilingMs = Math.min(ceilingMs * 2, maxPauseMs);
      await sleep(pauseMs, undefined, { signal: stopped });
    },
  };
}

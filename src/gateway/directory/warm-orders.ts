import { nextTurn } from '../../lib/next-turn.ts';
import type { Steps } from '../../lib/steps.ts';

/** A page sorts fewer items soon enough itself. */
const minItems = 5_000;
const everyMs = 1_000;

interface Warmable {
  warm(minItems: number): Steps<void>;
}

/** Makes the orders of large lists before a page asks for them, in steps with other work in between (docs/decisions/0207). */
export function warmOrders(maps: readonly Warmable[], report: (error: unknown) => void): { stop(): void } {
  let isRunning = false;
  let isStopped = false;
  const warm = async (): Promise<void> => {
    isRunning = true;
    for (const map of maps) {
      for (const _ of map.warm(minItems)) {
        await nextTurn();
        if (isStopped) return;
      }
    }
    isRunning = false;
  };
  const timer = setInterval(() => {
    if (!isRunning) warm().catch(report);
  }, everyMs);
  timer.unref();
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

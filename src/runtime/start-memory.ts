import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const pollIntervalMs = 6000;
/** A process that is busy from its start on is left alone. */
const maxLooks = 10;
const idleBelow = 0.1;
/** By the second one V8 has seen that little is made now, and shrinks the young generation. */
const collections = 2;
/** To collect more than this would hold requests up for too long. */
const maxHeapBytes = 96 * 1024 * 1024;

interface ThreadUse {
  /** How much of the time since it was asked last the thread had work. */
  utilization(): number;
  heapBytes(): number;
}

/**
 * Collects what only the start needed, as soon as this thread has little to do: V8 itself waits until the
 * heap has grown to a multiple, and keeps the young generation as large as the start made it.
 */
export function returnStartMemory(everyMs = pollIntervalMs, thread: ThreadUse = useOfThread()): void {
  let looks = 0;
  let collected = 0;
  const timer = setInterval(() => {
    looks += 1;
    const isLarge = thread.heapBytes() > maxHeapBytes;
    if (thread.utilization() < idleBelow && !isLarge) {
      collect();
      collected += 1;
    }
    if (isLarge || collected === collections || looks === maxLooks) clearInterval(timer);
  }, everyMs);
  timer.unref();
}

function useOfThread(): ThreadUse {
  let before = performance.eventLoopUtilization();
  return {
    utilization() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    heapBytes: () => getHeapStatistics().used_heap_size,
  };
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  const collectAll = runInNewContext('gc') as () => void;
  collectAll();
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MessageOutcome } from '../../../src/jackpot/lane/lane.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { TestLane } from '../support/lane.ts';

/**
 * How long the longest step of each kind held its thread at most: reported, not judged, because machines differ. The clock counts
 * other processes too, and the processor's time other threads of this one; neither is less than what is asked for.
 */
export class LongestSteps {
  readonly #longestMs = new Map<string, number>();

  measure<T>(kind: string, step: () => T): T {
    const fromMs = performance.now();
    const fromProcessorMs = processorMs();
    const result = step();
    const heldMs = Math.min(performance.now() - fromMs, processorMs() - fromProcessorMs);
    this.#longestMs.set(kind, Math.max(this.#longestMs.get(kind) ?? 0, heldMs));
    return result;
  }

  apply(kind: string, lane: TestLane, ...commands: readonly Command[]): MessageOutcome {
    const outcome = this.measure(kind, () => lane.apply(...commands));
    // A million commands that a test keeps are not what the lane holds.
    lane.log.length = 0;
    return outcome;
  }

  toString(): string {
    return [...this.#longestMs].map(([kind, ms]) => `${kind} ${ms.toFixed(1)} ms`).join(', ');
  }
}

/** Bytes in use after everything that is garbage has gone. */
export function memory(): { readonly heap: number; readonly buffers: number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

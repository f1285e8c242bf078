import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { Command } from '../../../src/jackpot/commands.ts';
import { contribution, running } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { TestLane } from '../support/lane.ts';

const PLAYERS = 1_000_000;
const POTS = 3;
const MESSAGE = 250;
/** performance.md: 128 bytes and 28 a pot, and the id. */
const MOST_BYTES = 128 + 28 * POTS + idOf(PLAYERS).length;
/** What is not the players': code, the log's last message, the collector's slack. */
const SLACK_BYTES = 24 * 2 ** 20;

/**
 * Proves: a million players of one instance stay within the stated bytes, on the heap there is nothing of them, and a
 * snapshot needs no second copy. What the longest step takes is reported, not judged: machines differ.
 */
it('a million players of one instance stay within 128 bytes, 28 a pot and the id, snapshot included', {
  timeout: 300_000,
}, () => {
  const lane = new TestLane();
  lane.apply(...running(threePots()));
  lane.log.length = 0;
  const before = memory();
  const longest = { growing: 0, repeating: 0, snapshot: 0 };
  contribute(lane, PLAYERS, (ms) => {
    longest.growing = Math.max(longest.growing, ms);
  });
  const grown = memory();
  expect((grown.buffers - before.buffers) / PLAYERS).toBeLessThanOrEqual(MOST_BYTES);
  expect(grown.heap - before.heap).toBeLessThan(SLACK_BYTES);

  contribute(lane, 100_000, (ms) => {
    longest.repeating = Math.max(longest.repeating, ms);
  });
  const repeated = memory();
  expect(repeated.buffers + repeated.heap - grown.buffers - grown.heap).toBeLessThan(SLACK_BYTES);

  let most = 0;
  let chunks = 0;
  const snapshot = lane.engine.snapshot()[Symbol.iterator]();
  for (;;) {
    const from = performance.now();
    const next = snapshot.next();
    longest.snapshot = Math.max(longest.snapshot, performance.now() - from);
    if (next.done === true) break;
    if (++chunks % 40 === 0) most = Math.max(most, memory().buffers);
    contribute(lane, MESSAGE, (ms) => {
      longest.snapshot = Math.max(longest.snapshot, ms);
    });
  }
  expect(chunks).toBeGreaterThan(PLAYERS / 4096);
  expect((most - before.buffers) / PLAYERS).toBeLessThanOrEqual(MOST_BYTES);
  const bytes = ((grown.buffers - before.buffers) / PLAYERS).toFixed(1);
  const steps = Object.entries(longest).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`);
  console.info(`${bytes} bytes a player (at most ${MOST_BYTES}); longest step: ${steps.join(', ')}`);
});

function contribute(lane: TestLane, count: number, look: (ms: number) => void): void {
  for (let done = 0; done < count; done += MESSAGE) {
    const commands = Array.from({ length: MESSAGE }, (_, index) => byPlayer(done + index));
    const from = performance.now();
    lane.apply(...commands);
    look(performance.now() - from);
    lane.log.length = 0;
  }
}

/** In an order that is nobody's: ids that follow each other would be kind to caches. */
function byPlayer(number: number): Command {
  return contribution({ player: idOf((number * 611_953) % PLAYERS) });
}

function idOf(number: number): string {
  return `player-${number}`;
}

/** Bytes in use after everything that is garbage has gone. */
function memory(): { readonly heap: number; readonly buffers: number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers };
}

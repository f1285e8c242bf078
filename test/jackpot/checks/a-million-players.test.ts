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

const hitRate = { HitRate: { max_magic_number: 1_000_000_000, cost_per_attempt: '0.1' } };
const shared = {
  main_winner_percentage: '0.5',
  payout_rules: [
    {
      payout_percentage: '0.2',
      rule: { ActivePlayers: { period_before_win: 86_400_000, max_number_of_payouts: 100 } },
    },
    { payout_percentage: '0.2', rule: { HighestContributors: { max_number_of_payouts: 100 } } },
  ],
};
const trigger = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  brand: 'op:main',
  player: idOf(7),
  source: 'slot',
  user: 'admin',
  idempotencyKey: null,
} as const;

/**
 * Proves: a million players of one instance stay within the stated bytes, on the heap there is nothing of them, and a
 * snapshot needs no second copy. What the longest step takes is reported, not judged: machines differ.
 */
it('a million players of one instance stay within 128 bytes, 28 a pot and the id, snapshot included', {
  timeout: 300_000,
}, () => {
  const lane = new TestLane();
  lane.apply(...running(threePots({}, { payout_ruleset: shared, pot_types: [hitRate, { External: {} }] })));
  lane.log.length = 0;
  const before = memory();
  const longest = { growing: 0, repeating: 0, snapshot: 0, shared: 0 };
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

  for (const pot of ['first', 'second', 'third']) {
    const from = processorMs();
    const { outcomes } = lane.apply({ ...trigger, pot });
    longest.shared = Math.max(longest.shared, processorMs() - from);
    expect(outcomes).toMatchObject([{ kind: 'Triggered' }]);
  }

  let most = 0;
  let chunks = 0;
  const snapshot = lane.engine.snapshot()[Symbol.iterator]();
  for (;;) {
    const from = processorMs();
    const next = snapshot.next();
    longest.snapshot = Math.max(longest.snapshot, processorMs() - from);
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
    const from = processorMs();
    lane.apply(...commands);
    look(processorMs() - from);
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

/** Time of the processor, not of the clock: other processes of the machine are not what is measured. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

import { expect, test } from 'vitest';
import type { Batch } from '../../../src/gateway/lanes/batch.ts';
import { LaneBatcher } from '../../../src/gateway/lanes/lane-batcher.ts';
import { batchLimits } from '../../../src/gateway/lanes/limits.ts';
import { crash } from '../../../src/lib/crash.ts';
import { Durations } from '../../../src/lib/durations.ts';
import { decodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Log } from '../../../src/ports.ts';
import { contribution } from '../../jackpot/support/commands.ts';

/** A batcher whose log and event loop go on when the test says so. */
function createBatcher() {
  const turns: (() => void)[] = [];
  const timers: { readonly task: () => void; isOver: boolean }[] = [];
  const stored: { readonly commands: number; readonly acknowledge: () => void }[] = [];
  const expected: Batch[] = [];
  let sequence = 0;
  let batches = 0;
  const log = {
    append: (_lane: number, _channel: string, bytes: Uint8Array) =>
      new Promise((resolve) => {
        sequence += 1;
        const answer = { kind: 'stored', sequence, duplicate: false };
        stored.push({
          commands: decodeCommandBatch(bytes).commands.length,
          acknowledge: () => resolve(answer),
        });
      }),
  } as unknown as Log;
  const batcher = new LaneBatcher(
    0,
    {
      log,
      clock: {
        nowMs: () => 0,
        elapsedMs: () => 0,
        after: (delayMs, task) => {
          const timer = { task, isOver: delayMs !== batchLimits.callersMs };
          timers.push(timer);
          return () => {
            timer.isOver = true;
          };
        },
      },
      random: {
        bytes(count) {
          batches += 1;
          return new Uint8Array(count).fill(batches);
        },
      },
      defer: (task) => void turns.push(task),
      report: crash,
    },
    {
      gateway: 'g',
      appends: new Durations([1]),
      expect: (batch) => void expected.push(batch),
      forget: () => {},
      rebuild: async () => null,
      pend: () => {},
    },
  );
  return {
    turns,
    stored,
    ask: (count: number) =>
      Array.from({ length: count }, () => batcher.send(contribution())).forEach((answer) => {
        answer.catch(crash);
      }),
    turn() {
      for (const task of turns.splice(0)) task();
    },
    /** As long as a batch waits for callers. @returns whether one did */
    wait() {
      const due = timers.splice(0).filter(({ isOver }) => !isOver);
      for (const { task } of due) task();
      return due.length > 0;
    },
    async acknowledge() {
      for (const { acknowledge } of stored) acknowledge();
      await new Promise(setImmediate);
    },
    /** All that is under way is acknowledged and answered. */
    async answer() {
      for (const { acknowledge } of stored) acknowledge();
      await new Promise(setImmediate);
      for (const batch of expected.splice(0)) {
        const outcomes = Array.from({ length: batch.commands }, () => ({ kind: 'Done' }) as const);
        batcher.answered(batch, { outcomes: outcomes as never, timestampMs: 1 });
      }
    },
  };
}

const sizes = (world: ReturnType<typeof createBatcher>) => world.stored.map(({ commands }) => commands);

test('a caller who is alone waits for no turn', async () => {
  const world = createBatcher();
  for (let round = 1; round <= 5; round += 1) {
    world.ask(1);
    expect(sizes(world)).toHaveLength(round);
    expect(world.turns).toEqual([]);
    await world.answer();
  }
});

/** So many callers have been answered a few times, together. */
async function createWith(callers: number) {
  const world = createBatcher();
  for (let round = 0; round < 4; round += 1) {
    world.ask(callers);
    for (let part = 0; part < 3; part += 1) {
      if (!world.wait()) world.turn();
      await world.answer();
    }
  }
  world.stored.length = 0;
  return world;
}

test('callers who come back share one batch, however they come', async () => {
  const world = await createWith(16);
  for (let round = 1; round <= 50; round += 1) {
    for (const some of [1, 9, 5]) {
      world.ask(some);
      world.turn();
    }
    expect(sizes(world)).toHaveLength(round - 1);
    world.ask(1);
    expect(sizes(world)).toHaveLength(round);
    await world.answer();
  }
  expect(new Set(sizes(world))).toEqual(new Set([16]));
});

test('callers who were parted come together again', async () => {
  const world = await createWith(16);
  world.ask(8);
  world.wait();
  world.ask(8);
  await world.answer();
  world.turn();
  world.turn();
  expect(sizes(world)).toEqual([8, 8]);
  world.ask(8);
  await world.acknowledge();
  expect(sizes(world)).toEqual([8, 8]);
  await world.answer();
  world.ask(8);
  expect(sizes(world)).toEqual([8, 8, 16]);
});

test('who waits for callers that do not come leaves without them, and the next does not wait', async () => {
  const world = await createWith(3);
  world.ask(1);
  world.turn();
  expect(sizes(world)).toEqual([]);
  expect(world.wait()).toBe(true);
  expect(sizes(world)).toEqual([1]);
  await world.answer();
  world.ask(1);
  expect(sizes(world)).toEqual([1, 1]);
});

test('callers who come by chance are awaited by one batch of many', async () => {
  const world = await createWith(3);
  let waits = 0;
  for (let round = 0; round < 1_000; round += 1) {
    // Another one came while a batch was under way.
    world.ask(3);
    if (world.wait()) waits += 1;
    else world.turn();
    await world.answer();
    world.ask(1);
    if (world.wait()) waits += 1;
    else world.turn();
    await world.answer();
  }
  expect(waits).toBeLessThan(2_000 / batchLimits.maxUnawaited + 20);
  expect(waits).toBeGreaterThan(5);
});

test('callers who come back again are awaited again', async () => {
  const world = await createWith(3);
  for (let round = 0; round < 30; round += 1) {
    world.ask(round % 2 === 0 ? 3 : 1);
    if (!world.wait()) world.turn();
    await world.answer();
  }
  const before = sizes(world).length;
  for (let round = 0; round < 2_000; round += 1) {
    world.ask(2);
    if (sizes(world).length === before + round) world.ask(1);
    if (sizes(world).length === before + round && !world.wait()) world.turn();
    await world.answer();
  }
  expect(sizes(world).slice(-10)).toEqual(new Array(10).fill(3));
});

test('of many callers one half is synced while the other is answered', async () => {
  const many = 2 * batchLimits.halvedFrom;
  const world = await createWith(many);
  world.ask(many / 2 - 10);
  expect(sizes(world)).toEqual([]);
  world.ask(10);
  const [first = 0] = sizes(world);
  expect(first).toBeGreaterThan(many / 2 - 10);
  world.ask(many / 2);
  expect(sizes(world)).toHaveLength(2);
});

test('what comes while two batches are under way leaves behind them', async () => {
  const many = 2 * batchLimits.halvedFrom;
  const world = await createWith(many);
  world.ask(many);
  expect(sizes(world)).toHaveLength(2);
  world.ask(5);
  world.turn();
  expect(sizes(world)).toHaveLength(2);
  await world.answer();
  world.turn();
  world.turn();
  expect(sizes(world)).toHaveLength(3);
  expect(sizes(world).reduce((sum, size) => sum + size, 0)).toBe(many + 5);
});

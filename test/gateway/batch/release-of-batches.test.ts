import { expect, test } from 'vitest';
import type { Batch } from '../../../src/gateway/batch/batch.ts';
import { LaneBatcher } from '../../../src/gateway/batch/lane-batcher.ts';
import { batchLimits } from '../../../src/gateway/batch/limits.ts';
import { crash } from '../../../src/lib/crash.ts';
import { Durations } from '../../../src/lib/durations.ts';
import { decodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { Log } from '../../../src/ports.ts';

/** A batcher whose log and event loop go on when the test says so. */
function createBatcher() {
  const turns: (() => void)[] = [];
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
      clock: { nowMs: () => 0, after: () => () => {} },
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

function contribution(): Command {
  return {
    kind: 'Contribute',
    contributionId: new Uint8Array(16),
    target: { type: 'instance', id: 'gold' },
    operator: 'acme',
    brand: 'acme:main',
    player: 'p',
    country: 'DE',
    segments: [],
    baseWagerAtoms: 1_000n,
    currency: 'EUR',
    gameround: 'round',
    idempotencyKey: null,
    linked: false,
    wallet: false,
    maxBetAtoms: null,
    bonus: null,
    vertical: '',
    callback: null,
    metadata: null,
    eventMetadata: null,
    provider: '',
    origin: null,
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

test('one of several callers waits for the others, a turn that brings none of them', async () => {
  const world = createBatcher();
  world.ask(3);
  world.turn();
  await world.answer();
  world.turn();
  await world.answer();
  const before = sizes(world).length;
  world.ask(1);
  expect(sizes(world)).toHaveLength(before);
  world.ask(1);
  // The turn brought one more.
  world.turn();
  expect(sizes(world)).toHaveLength(before);
  world.turn();
  expect(sizes(world).slice(before)).toEqual([2]);
});

test('all callers together wait for no turn', async () => {
  const world = createBatcher();
  world.ask(3);
  world.turn();
  await world.answer();
  world.turn();
  await world.answer();
  const before = sizes(world).length;
  world.ask(3);
  expect(sizes(world).slice(before)).toEqual([3]);
});

test('what comes while two batches are under way leaves behind them', async () => {
  const world = createBatcher();
  world.ask(1);
  world.ask(batchLimits.halvedFrom);
  expect(sizes(world)).toEqual([1, batchLimits.halvedFrom]);
  world.ask(5);
  world.turn();
  expect(sizes(world)).toHaveLength(2);
  await world.answer();
  world.turn();
  expect(sizes(world).slice(2)).toEqual([5]);
});

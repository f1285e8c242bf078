import { expect, it } from 'vitest';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import {
  checkStream,
  commandsOf,
  type Damage,
  lostBeginning,
  outcomesOf,
} from '../../../src/actors/witness/stream-check.ts';
import {
  decodeOutcomeRecord,
  encodeCommandBatch,
  encodeOutcomeRecord,
} from '../../../src/messages/codec/codec.ts';
import type { Log } from '../../../src/ports.ts';
import { createInstance, setBrand, setStatus } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { engines, hashing } from '../../sim/sim-system.ts';
import { SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const messages = 12;
const routing = { wallet: false, hooks: false, events: false };

/** A simulated log with the records that an honest owner stores. */
function storedLog(): { world: SimWorld; server: SimServer; log: Log } {
  const world = new SimWorld(1);
  const server = new SimServer(world, 1);
  const replica = new Replica(0, engines.create(), hashing, firstLaneHead);
  for (let sequence = 1; sequence <= messages; sequence += 1) {
    const command =
      [setBrand(), createInstance(threePots()), setStatus('Active')][sequence - 1] ?? setBrand();
    const bytes = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: '', commands: [command] });
    server.appendCommand(0, 'batch', bytes, String(sequence));
    const applied = replica.apply(server.lane(0).commands[sequence - 1]!);
    server.appendOutcome(0, sequence, routing, applied.record);
  }
  return { world, server, log: server.connect('reader').log };
}

async function found(world: SimWorld, log: Log): Promise<Damage[]> {
  const damages: Damage[] = [];
  let isOver = false;
  const checked = (async () => {
    for (const stream of [commandsOf(log, 0), outcomesOf(log, 0, hashing)])
      await checkStream(
        stream,
        async () => {},
        (damage) => void damages.push(damage),
      );
  })().finally(() => {
    isOver = true;
  });
  await world.until(() => isOver, 60_000, 'the check ends');
  await checked;
  return damages;
}

it('finds nothing in what an honest owner stored', async () => {
  const { world, log } = storedLog();
  expect(await found(world, log)).toEqual([]);
});

it('finds a whole record that does not follow from those before it', async () => {
  const { world, server, log } = storedLog();
  const { outcomes } = server.lane(0);
  const honest = decodeOutcomeRecord(outcomes[5]!.bytes);
  outcomes[5] = {
    ...outcomes[5]!,
    bytes: encodeOutcomeRecord({ ...honest, timestampMs: honest.timestampMs + 1 }),
  };
  expect(await found(world, log)).toEqual([{ of: 'outcomes', stream: 'OUT_0', from: 6, to: 6 }]);
});

it('finds what is gone in the middle and at the beginning, in stretches', async () => {
  const { world, server, log } = storedLog();
  const { commands, outcomes } = server.lane(0);
  for (const sequence of [4, 5, 6, 9]) delete commands[sequence - 1];
  for (const sequence of [1, 2, 8]) delete outcomes[sequence - 1];
  expect(await found(world, log)).toEqual([
    { of: 'commands', stream: 'CMD_0', from: 4, to: 6 },
    { of: 'commands', stream: 'CMD_0', from: 9, to: 9 },
    { of: 'outcomes', stream: 'OUT_0', from: 8, to: 8 },
  ]);
  const beginning = lostBeginning(log, 0, world.nowMs, { maxAgeMs: 35 * 86_400_000 });
  let isOver = false;
  void beginning.finally(() => {
    isOver = true;
  });
  await world.until(() => isOver, 60_000, 'the look ends');
  expect(await beginning).toEqual({ of: 'outcomes', stream: 'OUT_0', from: 1, to: 2 });
});

it('takes for no loss what both streams have forgotten because of its age', async () => {
  const dayMs = 86_400_000;
  const { world, server } = storedLog();
  const nowMs = world.nowMs + 35 * dayMs;
  const extent = { stream: 'OUT_0', lastSequence: messages, messages: 1, maxAgeMs: 35 * dayMs };
  const log = (commands: number, outcomes: number) => ({
    extents: async () => ({
      commands: { ...extent, firstSequence: commands },
      outcomes: { ...extent, firstSequence: outcomes },
    }),
    readCommand: async (_: number, sequence: number) => server.lane(0).commands[sequence - 1] ?? null,
  });
  // CMD is about to forget what OUT has forgotten a moment earlier.
  const mayLack = { maxAgeMs: 35 * dayMs };
  expect(await lostBeginning(log(5, 8), 0, nowMs, mayLack)).toBeNull();
  expect(await lostBeginning(log(8, 5), 0, nowMs, mayLack)).toBeNull();
  expect(await lostBeginning(log(5, 8), 0, nowMs - dayMs, mayLack)).toMatchObject({ from: 5, to: 7 });
  // An age that somebody gave the stream, and not the settings.
  extent.maxAgeMs = 1000;
  expect(await lostBeginning(log(5, 8), 0, nowMs - dayMs, mayLack)).toMatchObject({ from: 5, to: 7 });
});

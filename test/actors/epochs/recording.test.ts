import { expect, it } from 'vitest';
import { EpochRecording } from '../../../src/actors/epochs/recording.ts';
import { Spool } from '../../../src/actors/epochs/spool.ts';
import { EpochStore } from '../../../src/actors/epochs/store.ts';
import { Throttle } from '../../../src/actors/recovery/throttle.ts';
import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { nodeHashing } from '../../../tools/verify/node-hashing.ts';
import { verifyEpoch } from '../../../verifier/src/verify.ts';
import { contribution, openEpoch, running, seedOf } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { memorySpoolFile } from '../../support/memory-spool-file.ts';
import { noFaults, SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const instances = Array.from({ length: 20 }, (_, index) => `pot-${index}`);
const epochSequences = 120;
const pageLimit = { textBytes: 12_000, records: 10_000 };

/** Everything that the archive has at the end, where so much text may be held; and how much was, at most. */
async function recorded(mayHoldBytes: number) {
  const world = new SimWorld(7);
  const server = new SimServer(world, 1);
  server.faults = { ...noFaults, maxDelayMs: 0 };
  const ports = { log: server.connect('owner').log, clock: world.clock(() => true) };
  const engine = newLane({ epochMs: 86_400_000, epochSequences });
  const spool = new Spool(memorySpoolFile);
  let published = 0;
  const recording = new EpochRecording(
    {
      store: new EpochStore(ports, () => false),
      spool,
      throttle: new Throttle(ports.clock, () => 0),
      pageLimit,
      published: () => {
        published += 1;
      },
      failed: (_instance, _epoch, error) => {
        throw error;
      },
    },
    mayHoldBytes,
  );
  let bufferedBytes = 0;
  const apply = async (commands: readonly Command[]): Promise<void> => {
    const groups: DrawGroup[] = [];
    const sequence = engine.appliedSequence + 1;
    const message = { sequence, timestampMs: 1_700_000_000_000 + sequence, commands };
    const { events } = engine.apply(message, { group: (group) => void groups.push(group) });
    let isTaken = false;
    const taken = recording.take({ sequence, commands: commands.length, groups, events, engine });
    void taken.finally(() => {
      isTaken = true;
    });
    await world.until(() => isTaken, 60_000, 'the message is taken');
    await taken;
    bufferedBytes = Math.max(bufferedBytes, recording.bufferedBytes);
  };
  for (const instance of instances) await apply(running(threePots(), instance));
  for (let batch = 0; batch < 40; batch += 1) {
    const commands = Array.from({ length: 200 }, (_, index) =>
      contribution({
        contributionId: testHashing.sha256(Buffer.from(`${batch} ${index}`)).slice(0, 16),
        target: { type: 'instance', id: instances[index % instances.length]! },
      }),
    );
    await apply(commands);
    for (const { instance, open, reveal } of engine.epochTasks()) {
      const reveals = reveal.map(
        ({ epoch }): Command => ({ kind: 'RevealEpoch', instance, epoch, seed: seedOf(instance, epoch) }),
      );
      await apply([...reveals, ...(open === null ? [] : [openEpoch(instance, open.epoch, open.commit)])]);
    }
  }
  return { archive: server.archives.get('EPOCHS')!, bufferedBytes, published };
}

it('holds no more text than it may, and stores the same bytes', async () => {
  const mayHoldBytes = 64 * 1024;
  const unlimited = await recorded(Number.POSITIVE_INFINITY);
  const limited = await recorded(mayHoldBytes);
  expect(unlimited.published).toBe(3 * instances.length);
  expect(limited.published).toBe(unlimited.published);
  expect(unlimited.bufferedBytes).toBeGreaterThan(4 * mayHoldBytes);
  expect(limited.bufferedBytes).toBeLessThanOrEqual(mayHoldBytes);
  expect([...limited.archive.keys()]).toEqual([...unlimited.archive.keys()]);
  for (const [name, bytes] of limited.archive)
    expect(Buffer.compare(bytes, unlimited.archive.get(name)!), name).toBe(0);
  const page = (name: string): unknown => JSON.parse(Buffer.from(limited.archive.get(name)!).toString());
  const first = page('pot-3/1.json') as { readonly pages: number };
  expect(first.pages).toBeGreaterThan(2);
  const further = Array.from({ length: first.pages - 1 }, (_, index) => page(`pot-3/1.${index + 1}.json`));
  expect(verifyEpoch([first, ...further], nodeHashing).failure).toBeNull();
});

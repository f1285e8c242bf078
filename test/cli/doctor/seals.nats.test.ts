import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openKeyRing, readKeyRing } from '../../../src/actors/epochs/keys/key-ring.ts';
import { readSealedSeeds } from '../../../src/cli/doctor/sealed-seeds.ts';
import { examineSeals, judgeSeals } from '../../../src/cli/doctor/seals.ts';
import { readSettings } from '../../../src/config/settings.ts';
import type { Log } from '../../../src/ports.ts';
import { systemRandom } from '../../../src/wiring.ts';
import { ActorWorld } from '../../actors/actor-world.ts';
import { contribution } from '../../jackpot/support/commands.ts';

const engine = { epochMs: 86_400_000, epochSequences: 100 };
let world: ActorWorld;

beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

const keys = () => join(world.dataDirectory, 'keys');
const seedsOf = (log: Log | null) => readSealedSeeds({ dataDirectory: world.dataDirectory, lanes: 1 }, log);

function judged(seeds: Awaited<ReturnType<typeof seedsOf>>): string {
  const ring = readKeyRing(keys());
  if (ring === null) throw new Error('there are no keys');
  return judgeSeals(seeds, ring, keys());
}

it('reads the seeds from the log where there is no snapshot yet, and opens them', async () => {
  expect(await seedsOf(world.log)).toEqual([]);
  await world.owned(await world.startHost('one', { engine }));
  await world.activeInstance();
  const seeds = await seedsOf(world.log);
  expect(seeds.map(({ instance, epoch }) => `${instance} ${epoch}`)).toEqual([
    'jackpot 0',
    'jackpot 1',
    'jackpot 2',
  ]);
  expect(judged(seeds)).toBe('all 3 sealed seeds open; the newest is epoch 2 of jackpot');
});

it('knows of a snapshot and the log behind it no other seeds than those that are still sealed', async () => {
  await world.owned(await world.startHost('one', { engine, snapshotEveryMessages: 7 }));
  await world.activeInstance();
  const commands = Array.from({ length: 10 }, (_, index) => ({ player: `p${index}` }));
  for (let batch = 0; batch < 25; batch += 1) {
    const sent = commands.map((each) => contribution({ ...each, contributionId: randomBytes(16) }));
    await world.reply(await world.send(sent));
  }
  const epochsOf = async (log: Log | null) => (await seedsOf(log)).map(({ epoch }) => epoch).sort();
  await world.until(async () => (await epochsOf(world.log)).join() === '2,3,4', 'two epochs are revealed');
  await world.until(async () => (await epochsOf(null)).length > 0, 'a snapshot alone tells of seeds');
  expect(judged(await seedsOf(null))).toMatch(/^all \d sealed seeds open/);
});

it('finds keys of another system, no keys, a broken seal and a seed that was not committed to', async () => {
  await world.owned(await world.startHost('one', { engine }));
  await world.activeInstance();
  const seeds = await seedsOf(world.log);
  const [first, second] = seeds;
  const broken = { ...first!, sealed: first!.sealed.map((byte, at) => (at === 20 ? byte ^ 1 : byte)) };
  expect(() => judged([broken, second!])).toThrow(/^1 of 2 .*epoch 0 of jackpot: The seal does not open/);
  const exchanged = { ...second!, epoch: 3 };
  expect(() => judged([exchanged])).toThrow(/epoch 3 of jackpot: not the one committed to/);
  renameSync(keys(), `${keys()}-elsewhere`);
  openKeyRing(keys(), systemRandom);
  expect(() => judged(seeds)).toThrow(/^3 of 3 .*There is no key .*Restore the .*keys/);
});

it('makes no keys where there are none, and says from what it judged', async () => {
  const settings = readSettings({ POTSTREAM_DATA: join(world.dataDirectory, 'empty') });
  expect(await examineSeals(settings, null)).toMatch(/^no epoch is committed yet .*snapshots/);
  expect(readKeyRing(join(world.dataDirectory, 'empty/keys'))).toBeNull();
});

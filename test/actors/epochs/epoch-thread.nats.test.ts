import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EpochThread, epochThread } from '../../../src/actors/epochs/epoch-threads.ts';
import { keyRingFile } from '../../../src/actors/epochs/keys/key-ring.ts';
import { defaultActorSettings } from '../../../src/actors/ports/actor-ports.ts';
import type { EpochFollowing } from '../../../src/actors/ports/epoch-ports.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { epochDocumentName } from '../../../src/contracts/jackpots/epochs.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { ActorWorld } from '../actor-world.ts';

/** As it is shipped. */
const program = resolve(import.meta.dirname, '../../../dist/program/epoch-thread.js');
const engine = { epochMs: 86_400_000, epochSequences: 100 };
const first = epochDocumentName('jackpot', 0);

let world: ActorWorld;
let thread: EpochThread;
let published: string[];

beforeEach(async () => {
  world = await ActorWorld.open();
  published = [];
  const settings = {
    ...readSettings({ ...world.reachInEnvironment(), POTSTREAM_DATA: world.dataDirectory }),
    hostDirectory: world.dataDirectory,
    drawKeysDirectory: join(world.dataDirectory, 'keys'),
  };
  const alarm = (_lane: number, code: string): void => void world.alarms.push(code);
  thread = epochThread(program, settings, { alarm });
});
afterEach(async () => {
  await thread.stop();
  await world.close();
});

/** A lane that nobody owns any more, whose first epoch the archive lacks; gives that epoch as its owner published it. */
async function abandonedLane(): Promise<Uint8Array> {
  const host = await world.startHost('one', { engine });
  await world.owned(host);
  await world.activeInstance('jackpot', threePots());
  for (let batch = 0; batch < 12; batch += 1) {
    const commands = Array.from({ length: 10 }, (_, index) =>
      contribution({ contributionId: randomBytes(16), player: `p${index}` }),
    );
    await world.reply(await world.send(commands));
  }
  const archive = await world.log.archive('EPOCHS');
  await world.until(() => archive.has(first), 'the first epoch is published');
  const document = (await archive.get(first)) as Uint8Array;
  await host.stop();
  await archive.remove(first);
  return document;
}

function follow(applied: number): EpochFollowing {
  const plan = { lane: 0, first: 1, unknown: [], pageLimit: defaultActorSettings.epochPage };
  return thread.follow(plan, () => applied, {
    published: (instance, epoch) => void published.push(`${instance}/${epoch}`),
    failed: (_instance, _epoch, error) => {
      throw error;
    },
    fellBehind: () => {},
  });
}

it('publishes on its thread what the lane would, byte for byte, and never ahead of the lane', async () => {
  const document = await abandonedLane();
  const last = await world.log.lastCommand(0);
  const ahead = follow(5);
  await world.until(async () => ahead.recorded() === 5, 'what the lane has applied is recorded');
  ahead.stop();
  await ahead.done;
  expect(published).toEqual([]);

  const following = follow(last);
  await world.until(async () => following.recorded() === last, 'all is recorded');
  await world.until(async () => published.length > 0, 'the thread said so');
  expect(published[0]).toBe('jackpot/0');
  const archive = await world.log.archive('EPOCHS');
  expect(Buffer.from((await archive.get(first)) ?? []).equals(document)).toBe(true);
  following.stop();
  await following.done;
});

it('fails what it follows where its thread ends, and begins with another thread', async () => {
  await abandonedLane();
  const keyFile = join(world.dataDirectory, 'keys', keyRingFile);
  const keys = await readFile(keyFile);
  await writeFile(keyFile, 'torn');
  const last = await world.log.lastCommand(0);
  await expect(follow(last).done).rejects.toMatchObject({ name: 'LogError', code: 'unavailable' });
  await writeFile(keyFile, keys);
  const following = follow(last);
  await world.until(async () => published.length > 0, 'the epoch is published');
  following.stop();
  await following.done;
});

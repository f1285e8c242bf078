import { randomBytes } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contribution } from '../../jackpot/support/commands.ts';
import { ActorWorld, lane } from '../actor-world.ts';

let world: ActorWorld;

beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

it.each([
  ['outcomes', async () => {}],
  // Nothing is left but a snapshot, which knows what was there.
  ['snapshots', async () => rm(join(world.commandFiles, `../OUT_${lane}`), { recursive: true })],
])('a lane stops with an alarm where the log lost its end, as %s show', async (_evidence, loseMore) => {
  const earlier = join(world.dataDirectory, 'earlier');
  const first = await world.startHost('first');
  await world.owned(first);
  await world.activeInstance();
  await world.shutDownServer();
  await cp(world.commandFiles, earlier, { recursive: true });
  await world.restartServer();
  const batchId = randomBytes(16);
  const command = contribution({ contributionId: randomBytes(16) });
  await world.until(() => succeeds(() => world.send([command], batchId)), 'the batch is stored');
  await world.until(() => journalled().catch(() => false), 'every outcome is stored');
  await first.stop();
  await world.shutDownServer();
  await rm(world.commandFiles, { recursive: true });
  await cp(earlier, world.commandFiles, { recursive: true });
  await loseMore();
  await world.restartServer();
  await world.until(() => succeeds(() => world.log.prepare(1)), 'the log is reached');
  const second = await world.startHost('second');
  await world.until(() => second.statuses()[0]!.stopped !== null, 'the lane stops');
  expect(second.statuses()[0]!.stopped).toBe('hole');
  expect(world.alarms.at(-1)).toMatch(/^hole: The log ends at /);
});

async function journalled(): Promise<boolean> {
  const [last, stored] = await Promise.all([world.log.lastCommand(lane), world.log.lastOutcome(lane)]);
  return stored === last;
}

function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  );
}

import { afterEach, beforeEach, expect, test } from 'vitest';
import { FeedWorld, until } from './feed-world.ts';
import { upgrade } from './upgrade.ts';

const periodMs = 100;
let feed: FeedWorld;
beforeEach(async () => {
  feed = new FeedWorld();
  feed.addBrand('demo:main');
  feed.setRates('', { EUR: '1' });
  feed.addInstance('pot-1');
  await feed.start({ statusPeriodMs: periodMs });
});
afterEach(() => feed.stop());

test('while no owner is heard nothing old is repeated and nobody is taken in; then all goes on', async () => {
  const token = await feed.token();
  const socket = await feed.open('/v1/jackpot/status');
  socket.say({ AuthenticateRequest: { token } });
  await until(() => socket.frames.length > 2);

  feed.ownerBeats = false;
  await until(() => feed.fanout.unready() === 'lanes_hung');
  // What was sent before may still be under way.
  await feed.settled();
  const told = socket.frames.length;
  await new Promise((resolve) => setTimeout(resolve, 10 * periodMs));
  expect(socket.frames).toHaveLength(told);
  expect((await upgrade(feed, '/v1/jackpot/status')).status).toBe(503);

  feed.ownerBeats = true;
  await until(() => socket.frames.length > told + 2);
  expect(feed.fanout.unready()).toBeNull();
});

import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { verifyServerAuthorization, verifyWebhook } from '../../../sdk/src/index.ts';
import type { WebhookSubscription } from '../../../src/contracts/directory/directory.ts';
import { KnownSubscriptions } from '../../../src/outbox/events/subscriptions.ts';
import type { Bus, Log } from '../../../src/ports.ts';
import {
  contribution,
  createInstance,
  openEpoch,
  setBrand,
  setStatus,
} from '../../jackpot/support/commands.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';
import { LaneLog } from '../support/lane-log.ts';
import { openLog, startTestOutbox, type TestOutbox } from '../support/outbox.ts';
import { eventually, startReceiver, type TestReceiver } from '../support/receiver.ts';
import { firstArrivals, furtherInstance, readEvents, statusChanges, subscription } from './support.ts';

const secret = 'a secret of an opérator';
let server: TestNatsServer;
let connections: { log: Log; bus: Bus };
let lane: LaneLog;
let receiver: TestReceiver;
let other: TestReceiver;
let registered: string[];
let subscriptions: KnownSubscriptions;
let outbox: TestOutbox | null = null;

beforeAll(async () => {
  server = await startNatsServer({ lanes: 1 });
  connections = await openLog(server);
  lane = new LaneLog(connections);
  await lane.open();
  await lane.write(...furtherInstance('theirs', 'rival', 'rival'));
  await lane.write(
    setBrand(),
    createInstance(onePot({ pot_types: [sureHit] }), { instance: 'winning' }),
    openEpoch('winning', 0, [0, 1, 2]),
    setStatus('Active', 'winning'),
  );
});
beforeEach(async () => {
  [receiver, other] = [await startReceiver(), await startReceiver()];
  registered = [receiver.origin, other.origin];
  subscriptions = new KnownSubscriptions();
});
afterEach(async () => {
  await outbox?.stop();
  outbox = null;
  await Promise.all([receiver.stop(), other.stop()]);
});
afterAll(async () => {
  await lane.stop();
  await connections.log.close();
  await connections.bus.close();
  await server.stop();
});

const start = () => startTestOutbox(server, { origins: () => registered, secret, subscriptions });
const bodies = ({ received }: TestReceiver) => received.map(({ body }) => body);
const countOf = (instance = 'jackpot') => lane.engine.describe(instance)?.eventCounter ?? 0;
let made = 0;

/** From now on: the lane's time is its sequence. */
async function subscribe(
  operator: string,
  to: TestReceiver,
  changes: Partial<WebhookSubscription> = {},
): Promise<WebhookSubscription> {
  made += 1;
  const id = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  const sequence = await connections.log.lastOutcome(0);
  const last = await connections.log.readOutcome(0, sequence);
  const url = `${to.origin}/events?key=1`;
  const each = subscription({ id, url, created_timestamp: timeOf(last!.sequence) + 1, ...changes });
  subscriptions.set(operator, [each]);
  return each;
}
const timeOf = (sequence: number) => 1_700_000_000_000 + sequence;

it('a win arrives, signed both ways, with exact amounts', async () => {
  const { id } = await subscribe('op', receiver, { event_types: ['WinEvent'] });
  outbox = await start();
  await lane.write(
    contribution({
      contributionId: randomBytes(16),
      target: { type: 'instance', id: 'winning' },
      player: 'ada-1',
    }),
  );
  await receiver.until(1);
  const { headers, body, path } = receiver.received[0]!;
  expect(path).toBe('/events?key=1');
  expect(verifyServerAuthorization(body, headers['x-server-authorization'] as string, secret)).toBe(true);
  expect(verifyWebhook(body, headers, secret)).toMatchObject({
    event_id: headers['webhook-id'],
    subscription_id: id,
    event_type: 'WinEvent',
    operator_id: 'op',
    brand_id: 'op:main',
    player_id: 'ada-1',
    instance_id: 'winning',
    data: { win_pot_id: 'main', win_amount: '1', currency: 'EUR' },
  });
});

it('events of an instance come one after the other, however slow the receiver is', async () => {
  await subscribe('op', receiver);
  outbox = await start();
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 5);
  const before = countOf();
  await lane.write(...statusChanges(100));
  await eventually(() => firstArrivals(bodies(receiver)).length >= 100, 'all come');
  expect(firstArrivals(bodies(receiver))).toEqual(
    Array.from({ length: 100 }, (_, index) => before + index + 1),
  );
  expect(receiver.mostAtOnce).toBe(1);
});

it.each([
  ['a server error', 500],
  ['a redirect', 302],
  ['a client error', 404],
  ['a closed connection', 0],
])('what a receiver answers with %s comes again, and the next ones after it', async (_, status) => {
  await subscribe('op', receiver);
  outbox = await start();
  const before = countOf();
  let refusals = 0;
  receiver.answer = ({ body }, response) => {
    if (!body.includes(`"seq":${before + 1},`) || refusals > 0) return void response.writeHead(204).end();
    refusals += 1;
    if (status === 0) return void response.destroy();
    response.writeHead(status, status === 302 ? { location: `${other.origin}/elsewhere` } : {}).end();
  };
  await lane.write(...statusChanges(4));
  await eventually(() => firstArrivals(bodies(receiver)).length >= 4, 'all come');
  await receiver.until(5);
  const seqs = readEvents(bodies(receiver)).map(({ seq }) => seq! - before);
  expect(seqs).toEqual([1, 1, 2, 3, 4]);
  expect(new Set(bodies(receiver)).size).toBe(4);
  expect(other.received).toEqual([]);
});

it("an operator's receiver that hangs holds up nobody else's", async () => {
  await subscribe('op', receiver);
  await subscribe('rival', other);
  outbox = await start();
  receiver.answer = () => {};
  const before = countOf('theirs');
  for (let round = 0; round < 10; round += 1)
    await lane.write(...statusChanges(40), ...statusChanges(10, 'theirs'));
  await other.until(100);
  expect(firstArrivals(bodies(other), 'theirs')).toEqual(
    Array.from({ length: 100 }, (_, index) => before + index + 1),
  );
  expect(receiver.received.length).toBeLessThan(20);
  receiver.answer = (_, response) => void response.writeHead(204).end();
});

it('events to an origin that was removed are dead at once, and sent when it is back', async () => {
  await subscribe('op', receiver);
  outbox = await start();
  registered = [];
  await lane.write(...statusChanges(2));
  const dead = () => outbox!.known().filter(({ state }) => state === 'dead');
  await eventually(() => dead().length === 2, 'they are dead');
  expect(dead().map(({ lastError, eventType }) => [lastError, eventType])).toEqual([
    ['origin_not_registered', 'InstanceStatusEvent'],
    ['origin_not_registered', 'InstanceStatusEvent'],
  ]);
  expect(receiver.received).toEqual([]);
  registered = [receiver.origin];
  await lane.write(...statusChanges(2));
  await receiver.until(2);
});

it('nothing is lost or overtaken when the outbox, the receiver and nats-server are killed', async () => {
  await subscribe('op', receiver);
  outbox = await start();
  const before = countOf();
  await lane.write(...statusChanges(20));
  await receiver.until(5);
  await outbox.kill();
  await lane.write(...statusChanges(20));
  outbox = await start();
  await eventually(() => firstArrivals(bodies(receiver)).length >= 25, 'the next outbox goes on');
  await server.restart();
  await eventually(
    () => firstArrivals(bodies(receiver)).length >= 40,
    'it goes on after nats-server is back',
  );
  await eventually(
    () =>
      connections.log.lastOutcome(0).then(
        () => true,
        () => false,
      ),
    'the lane too',
  );
  let isDown = true;
  receiver.answer = (_, response) => void (isDown ? response.destroy() : response.writeHead(204).end());
  await lane.write(...statusChanges(20));
  await eventually(() => outbox!.known().length > 0, 'it is down');
  isDown = false;
  await eventually(() => firstArrivals(bodies(receiver)).length >= 60, 'it is up again');
  expect(firstArrivals(bodies(receiver))).toEqual(
    Array.from({ length: 60 }, (_, index) => before + index + 1),
  );
});

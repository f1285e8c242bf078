import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { verifyServerAuthorization, verifyWebhook } from '../../sdk/src/index.ts';
import { callbackEventId } from '../../src/contracts/payments/event-id.ts';
import { uuidText } from '../../src/lib/uuid.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import type { Bus, Log } from '../../src/ports.ts';
import { contribution } from '../jackpot/support/commands.ts';
import { startMs } from '../jackpot/support/lane.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';
import { LaneLog } from './support/lane-log.ts';
import { openLog, startTestOutbox, type TestOutbox } from './support/outbox.ts';
import { eventually, startReceiver, type TestReceiver } from './support/receiver.ts';

const secret = 'a secret of an opérator';
let server: TestNatsServer;
let connections: { log: Log; bus: Bus };
let lane: LaneLog;
let receiver: TestReceiver;
let outbox: TestOutbox | null = null;

beforeAll(async () => {
  server = await startNatsServer({ lanes: 1 });
  connections = await openLog(server);
  lane = new LaneLog(connections);
  await lane.open();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await outbox?.stop();
  outbox = null;
  await receiver.stop();
});
afterAll(async () => {
  await lane.stop();
  await connections.log.close();
  await connections.bus.close();
  await server.stop();
});

const origins = () => [receiver.origin];

function withCallback(changes: Partial<Contribute> = {}, winResultOnly = false): Contribute {
  return contribution({
    contributionId: randomBytes(16),
    callback: { webHook: `${receiver.origin}/hook?x=1`, winResultOnly },
    ...changes,
  });
}

it('a result arrives, signed both ways, with the bytes of a direct answer', async () => {
  outbox = await startTestOutbox(server, { origins, secret });
  const command = withCallback({ metadata: '{"own":1.50}' });
  const sequence = await lane.write(contribution(), command);
  await receiver.until(1);
  const [request] = receiver.received;
  const { headers, body, path } = request!;
  expect(path).toBe('/hook?x=1');
  const timestamp = startMs + sequence;
  const id = callbackEventId(uuidText(command.contributionId));
  expect(body).toBe(
    `{"event_id":"${id}","event_type":"ContributionResult","timestamp":${timestamp},"operator_id":"op","brand_id":"op:main",` +
      `"results":[{"instance_id":"jackpot","timestamp":${timestamp},"gameround_id":"round","win_amount":0,"win_pot_id":null,` +
      '"tickets_awarded":0,"win_withheld":false,"contribution_currency":"EUR","contribution_amount":1,"bonus_amount_used":0,' +
      '"metadata":{"own":1.50}}],"metadata":{"own":1.50}}',
  );
  expect(verifyWebhook(body, headers, secret)).toMatchObject({ event_id: id });
  expect(verifyServerAuthorization(body, headers['x-server-authorization'] as string, secret)).toBe(true);
  expect(headers['webhook-id']).toBe(id);
  expect(headers['content-type']).toBe('application/json');
});

it('a refusal arrives as an error, also where only wins are asked for; other results do not', async () => {
  outbox = await startTestOutbox(server, { origins });
  const refused = withCallback({ target: { type: 'instance', id: 'none' } }, true);
  await lane.write(withCallback({}, true), refused);
  await receiver.until(1);
  const body = JSON.parse(receiver.received[0]!.body) as Record<string, unknown>;
  expect(body).toMatchObject({
    event_id: callbackEventId(uuidText(refused.contributionId)),
    error: { status_code: 404, code: 'instance_not_found', message: 'There is no such instance.' },
    metadata: null,
  });
  expect('results' in body).toBe(false);
  expect(receiver.received[0]!.headers).not.toHaveProperty('x-server-authorization');
  expect(receiver.received[0]!.headers).not.toHaveProperty('webhook-signature');
});

it('what was not answered comes again after a kill, with the same id; what was delivered does not', async () => {
  receiver.answer = () => {};
  const first = await startTestOutbox(server, { origins });
  const command = withCallback();
  await lane.write(command);
  await receiver.until(1);
  await first.kill();
  receiver.answer = (_, response) => void response.writeHead(200).end('thanks');
  outbox = await startTestOutbox(server, { origins });
  await receiver.until(2);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids)).toEqual(new Set([callbackEventId(uuidText(command.contributionId))]));
  await outbox.stop();
  outbox = await startTestOutbox(server, { origins });
  const last = withCallback();
  await lane.write(last);
  await eventually(
    () => receiver.received.at(-1)!.headers['webhook-id'] === callbackEventId(uuidText(last.contributionId)),
    'the last one',
  );
  expect(receiver.received).toHaveLength(3);
});

it('a dead receiver delays nobody', async () => {
  const dead = await startReceiver();
  dead.answer = () => {};
  try {
    outbox = await startTestOutbox(server, { origins: () => [receiver.origin, dead.origin] });
    for (let round = 0; round < 10; round += 1) {
      const commands = Array.from({ length: 100 }, () =>
        withCallback({ callback: { webHook: `${dead.origin}/`, winResultOnly: false } }),
      );
      await lane.write(...commands);
    }
    await lane.write(withCallback());
    await receiver.until(1);
    expect(dead.mostAtOnce).toBeLessThanOrEqual(8);
    const metrics = async () =>
      (await outbox!.metrics()).match(/potstream_outbox_stored\{state="pending"\} (\d+)/)?.[1];
    await eventually(async () => Number(await metrics()) >= 900, 'they are stored');
  } finally {
    await dead.stop();
  }
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyServerAuthorization, verifyWebhook } from '../../sdk/src/index.ts';
import type { FlushRecord } from '../../src/messages/settlements.ts';
import type { Bus, Log } from '../../src/ports.ts';
import { atoms, contribution, createInstance, openEpoch, setStatus } from '../jackpot/support/commands.ts';
import { onePot } from '../jackpot/support/scenario.ts';
import { switchModel } from '../jackpot/support/switching.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';
import { LaneLog } from './support/lane-log.ts';
import { ManualClock } from './support/manual-clock.ts';
import { openLog, startTestLane, startTestOutbox, type TestLaneOutbox } from './support/outbox.ts';
import { eventually, startReceiver, type TestReceiver } from './support/receiver.ts';

const secret = 'a secret of an opérator';
let server: TestNatsServer;
let connections: { log: Log; bus: Bus };
let lane: LaneLog;
let receiver: TestReceiver;
let outbox: TestLaneOutbox | null = null;
let clock: ManualClock;

beforeEach(async () => {
  clock = new ManualClock();
  server = await startNatsServer({ lanes: 1 });
  connections = await openLog(server);
  receiver = await startReceiver();
  lane = new LaneLog(connections);
  await lane.open(pool(`${receiver.origin}/flush`));
});
afterEach(async () => {
  await outbox?.stop();
  outbox = null;
  await lane.stop();
  await receiver.stop();
  await connections.log.close();
  await connections.bus.close();
  await server.stop();
});

function pool(endpoint: string) {
  const house_pot = {
    contribution_type: { Percentage: '0.5' },
    diversion_rules: {
      diversion_percentage: '0.5',
      flush_threshold: '0.5',
      target: { External: { endpoint, account_id: 'bank-7' } },
    },
  };
  return onePot({ contribution: { Percentage: '0.5' } }, {}, { house_pot });
}

/** The pool reaches its threshold. */
async function flush(): Promise<FlushRecord> {
  while (lane.engine.openFlushes(0, 1).length === 0) await lane.write(contribution());
  return lane.engine.openFlushes(0, 1)[0]!;
}

const start = async () => {
  const started = await startTestOutbox(server, { origins: () => [], secret });
  outbox = started;
  return started;
};
/** With time that jumps. */
const startLane = async () => {
  outbox = await startTestLane(server, { clock });
  return outbox;
};
const isSettled = () => eventually(() => lane.engine.openFlushes(0, 1).length === 0, 'the flush is settled');
const isDead = () => outbox!.known().some(({ state }) => state === 'dead');
const refusal = (response: Parameters<TestReceiver['answer']>[1], status: number) =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ status_code: status, code: 'account_closed', message: 'No.' }));

it('a flush arrives, signed as its owner, and is outside', async () => {
  await start();
  const opened = await flush();
  await isSettled();
  const { body, headers, path } = receiver.received[0]!;
  expect(path).toBe('/flush');
  expect(body).toBe(
    `{"flush_id":"${opened.flushId}","instance_id":"jackpot","account_id":"bank-7","amount":0.5,"currency":"EUR","timestamp":${opened.openedMs}}`,
  );
  expect(verifyWebhook(body, headers, secret)).toMatchObject({ flush_id: opened.flushId });
  expect(verifyServerAuthorization(body, headers['x-server-authorization'] as string, secret)).toBe(true);
  expect(headers['webhook-id']).toBe(opened.flushId);
  expect(lane.accounts()).toMatchObject({ external: atoms('0.5'), diversion_pending: 0n });
  expect(receiver.received).toHaveLength(1);
});

it('a refusal brings the money back to its pool, which leaves as another flush', async () => {
  receiver.answer = (_, response) => refusal(response, 422);
  await start();
  const opened = await flush();
  await isSettled();
  expect(lane.accounts()).toMatchObject({ external: 0n, diversion_pending: 0n, diversion: atoms('0.5') });
  expect(receiver.received).toHaveLength(1);
  receiver.answer = (_, response) => void response.writeHead(200).end();
  const next = await flush();
  expect(next.flushId).not.toBe(opened.flushId);
  await isSettled();
  expect(lane.accounts()).toMatchObject({ external: next.amountAtoms, diversion_pending: 0n });
});

it('a refusal after a try that may have arrived waits for a person', async () => {
  receiver.answer = (_, response) => void response.writeHead(500).end();
  await startLane();
  await flush();
  await clock.until(() => receiver.received.length === 1);
  receiver.answer = (_, response) => refusal(response, 409);
  await clock.until(() => receiver.received.length === 2);
  await clock.until(isDead);
  expect(lane.accounts()).toMatchObject({ external: 0n, diversion_pending: atoms('0.5') });
});

it('after nine tries without a known result the money waits for a person', async () => {
  receiver.answer = (_, response) => void response.writeHead(503).end();
  await startLane();
  const opened = await flush();
  await clock.until(isDead);
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array.from({ length: 9 }, () => opened.flushId),
  );
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(lane.accounts()).toMatchObject({ external: 0n, diversion_pending: atoms('0.5') });
});

it('what could never be sent goes back to its pool after nine tries', async () => {
  await lane.write(
    createInstance(pool('https://bank.example.com/flush'), { instance: 'elsewhere' }),
    openEpoch('elsewhere', 0, [0, 1, 2]),
    setStatus('Active', 'elsewhere'),
  );
  await startLane();
  const elsewhere = { target: { type: 'instance', id: 'elsewhere' } } as const;
  while (lane.engine.openFlushes(0, 1).length === 0) await lane.write(contribution(elsewhere));
  await clock.until(() => lane.engine.openFlushes(0, 1).length === 0);
  expect(lane.accounts('elsewhere')).toMatchObject({ external: 0n, diversion: atoms('0.5') });
});

it('a kill during a try repeats it with the same id, and a refusal then waits for a person', async () => {
  receiver.answer = () => {};
  const first = await start();
  const opened = await flush();
  await receiver.until(1);
  await first.kill();
  outbox = null;
  receiver.answer = (_, response) => refusal(response, 422);
  await start();
  await eventually(isDead, 'it waits for a person');
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
    opened.flushId,
    opened.flushId,
  ]);
  expect(lane.accounts()).toMatchObject({ external: 0n, diversion_pending: atoms('0.5') });
});

it('flushes from before the outbox, and those that nobody delivers, are found', async () => {
  const opened = await flush();
  await start();
  await isSettled();
  expect(receiver.received[0]!.headers['webhook-id']).toBe(opened.flushId);
});

it('a settled flush is not sent again when its record is read again', async () => {
  await start();
  await flush();
  await isSettled();
  await outbox!.stop();
  const table = await connections.log.table('DELIVERIES');
  for (const key of await table.keys()) await table.remove(key, (await table.get(key))!.revision);
  await start();
  const next = await flush();
  await isSettled();
  expect(receiver.received.map(({ headers }) => headers['webhook-id']).at(-1)).toBe(next.flushId);
  expect(receiver.received).toHaveLength(2);
});

it('a flush of an instance that was switched meanwhile is delivered and settled', async () => {
  await lane.write(
    createInstance(pool(`${receiver.origin}/flush`), { instance: 'next' }),
    openEpoch('next', 0, [0, 1, 2]),
  );
  await flush();
  expect(await lane.outcomes(switchModel({ target: 'next' }))).toMatchObject([{ kind: 'Done' }]);
  await start();
  await isSettled();
  expect(receiver.received).toHaveLength(1);
});

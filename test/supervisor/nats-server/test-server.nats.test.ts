import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  readServer,
  requireDurability,
  requireDurabilityOfAll,
} from '../../../src/supervisor/nats-server/monitor.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

let durable: TestNatsServer;
let careless: TestNatsServer;

beforeAll(async () => {
  [durable, careless] = await Promise.all([startNatsServer(), startNatsServer({ syncInterval: '2m' })]);
});

afterAll(async () => {
  await Promise.all([durable.stop(), careless.stop()]);
});

test('the embedded configuration syncs every message', async () => {
  expect((await readServer(durable.monitorUrl)).syncsAlways).toBe(true);
  await requireDurability(durable.monitorUrl, false);
});

test('a server that syncs now and then is refused, unless that was asked for', async () => {
  await expect(requireDurability(careless.monitorUrl, false)).rejects.toMatchObject({
    code: 'nats_not_durable',
  });
  await requireDurability(careless.monitorUrl, true);
  const gone = 'http://127.0.0.1:9';
  await requireDurabilityOfAll([gone, durable.monitorUrl]);
  await expect(requireDurabilityOfAll([durable.monitorUrl, careless.monitorUrl])).rejects.toMatchObject({
    code: 'nats_not_durable',
  });
  await expect(requireDurabilityOfAll([gone])).rejects.toMatchObject({ code: 'nats_not_asked' });
});

test('a killed server comes back on its port', async () => {
  const before = durable.pid;
  await durable.kill();
  await durable.restart();
  expect(durable.pid).not.toBe(before);
  expect((await readServer(durable.monitorUrl)).syncsAlways).toBe(true);
});

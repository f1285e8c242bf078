import { afterAll, beforeAll, expect, test } from 'vitest';
import { readsSyncAlways, requireDurability } from '../../../src/supervisor/nats-server/monitor.ts';
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
  expect(await readsSyncAlways(durable.monitorUrl)).toBe(true);
  await requireDurability(durable.monitorUrl, false);
});

test('a server that syncs now and then is refused, unless that was asked for', async () => {
  await expect(requireDurability(careless.monitorUrl, false)).rejects.toMatchObject({
    code: 'nats_not_durable',
  });
  await requireDurability(careless.monitorUrl, true);
});

test('a killed server comes back on its port', async () => {
  const before = durable.pid;
  await durable.kill();
  await durable.restart();
  expect(durable.pid).not.toBe(before);
  expect(await readsSyncAlways(durable.monitorUrl)).toBe(true);
});

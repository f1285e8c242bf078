import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectArchiver, connectLog } from '../../src/log/connect.ts';
import type { LaneTrimmer, Log } from '../../src/ports.ts';
import { startNatsCluster, type TestNatsCluster } from '../support/nats-cluster.ts';

const routing = { wallet: false, hooks: false, events: false };
const patience = { timeout: 60_000, interval: 200 };

let cluster: TestNatsCluster;
let log: Log;
let reader: Log;
let trimmer: LaneTrimmer;

beforeAll(async () => {
  cluster = await startNatsCluster();
  const { urls: servers, user, password } = cluster;
  const reach = { servers, user, password, replicas: 3, maxStreamBytes: 64 * 1024 * 1024 };
  log = await connectLog(reach);
  ({ log: reader, trimmer } = await connectArchiver(reach));
  await log.prepare(1);
}, 120_000);

afterAll(async () => {
  await Promise.all([log?.close(), reader?.close()]);
  await cluster?.stop();
});

async function append(count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) {
    const messageId = `${each} ${Math.random()}`;
    const stored = await log.append(0, 'batch', new Uint8Array(100), { messageId, timeoutMs: 20_000 });
    if (stored.kind === 'stored') await log.appendOutcome(0, stored.sequence, routing, new Uint8Array(10));
  }
}

const firsts = async (): Promise<number[]> => {
  const { commands, outcomes } = await log.extents(0);
  return [commands.firstSequence, outcomes.firstSequence];
};

it('trims streams of three replicas, again after a power loss, and goes on writing them', async () => {
  await append(60);
  await trimmer.trim(0, 20, 0);
  await expect.poll(firsts, patience).toEqual([21, 21]);
  await append(1);
  await cluster.kill();
  await cluster.restart();
  const kept = () => trimmer.trim(0, 30, 0).then(firsts, () => []);
  await expect.poll(kept, patience).toEqual([31, 31]);
  expect([await log.lastCommand(0), await log.lastOutcome(0)]).toEqual([61, 61]);
  await append(5);
  expect(await log.lastOutcome(0)).toBe(66);
  expect(await log.readCommand(0, 30)).toBeNull();
  expect((await log.readCommand(0, 31))?.sequence).toBe(31);
}, 180_000);

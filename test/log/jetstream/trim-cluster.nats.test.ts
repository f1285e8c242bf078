import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectLog, connectStorage } from '../../../src/log/jetstream/connect.ts';
import type { LaneTrimmer, Log } from '../../../src/ports.ts';
import { startNatsCluster, type TestNatsCluster } from '../../support/nats-cluster.ts';

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
  ({ log: reader, trimmer } = await connectStorage(reach));
  await log.prepare(1);
});

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
  // A round whose look at a stream took too long leaves it to the next round.
  const trimmed = (to: number) => () => trimmer.trim(0, to, 0).then(firsts, () => []);
  await append(60);
  await expect.poll(trimmed(20), patience).toEqual([21, 21]);
  await append(1);
  await cluster.kill();
  await cluster.restart();
  await expect.poll(trimmed(30), patience).toEqual([31, 31]);
  const lasts = () => Promise.all([log.lastCommand(0), log.lastOutcome(0)]);
  await expect.poll(lasts, patience).toEqual([61, 61]);
  await append(5);
  await expect.poll(lasts, patience).toEqual([66, 66]);
  // A server that is a moment behind may still have it.
  await expect.poll(() => log.readCommand(0, 30), patience).toBeNull();
  await expect.poll(() => log.readCommand(0, 31), patience).toMatchObject({ sequence: 31 });
});

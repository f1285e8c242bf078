import { afterEach, expect, it } from 'vitest';
import { connectLog, connectReader } from '../../../src/log/jetstream/connect.ts';
import { startNatsCluster } from '../../support/nats-cluster.ts';
import { startNatsServer } from '../../support/nats-server.ts';

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

it('believes no server that its cluster has left in silence, and leaves it', async () => {
  const [cluster, other] = await Promise.all([startNatsCluster(), startNatsServer()]);
  ends.push(cluster.stop, other.stop);
  await other.kill();
  const { user, password, urls } = cluster;
  const reach = { user, password, role: 'gateway', replicas: 3 } as const;
  const maker = await connectLog({ servers: urls, user, password, replicas: 3 });
  await maker.prepare(1);
  await maker.close();
  const reader = await connectReader({ ...reach, servers: [urls[0] as string, other.url] });
  ends.push(() => reader.close());
  const answer = () => reader.lastCommand(0).catch(({ message }: Error) => message);
  await expect.poll(answer, { timeout: 60_000, interval: 200 }).toBe(0);
  for (const index of [1, 2]) cluster.freezeServer(index);
  // After some seconds it answers again, from its own copies, which may be old.
  await expect.poll(answer, { timeout: 60_000, interval: 200 }).toMatch(/majority/);
  await other.restart();
  await expect.poll(answer, { timeout: 60_000, interval: 200 }).toMatch(/stream not found/);
});

it('leaves a server that has lost its cluster for one that answers', async () => {
  const [cluster, other] = await Promise.all([startNatsCluster(), startNatsServer()]);
  ends.push(cluster.stop, other.stop);
  await other.kill();
  // As behind a cut cable: it takes clients, and there is no leader for what they ask.
  await Promise.all([cluster.killServer(1), cluster.killServer(2)]);
  const { user, password, urls } = cluster;
  const servers = [urls[0] as string, other.url];
  const reader = await connectReader({ servers, user, password, role: 'gateway', replicas: 1 });
  ends.push(() => reader.close());
  const answer = () => reader.lastCommand(0).catch(({ message }: Error) => message);
  await expect.poll(answer, { timeout: 60_000, interval: 200 }).not.toMatch(/not found/);
  await other.restart();
  // The other one has no streams, and says so.
  await expect.poll(answer, { timeout: 60_000, interval: 200 }).toMatch(/stream not found/);
});

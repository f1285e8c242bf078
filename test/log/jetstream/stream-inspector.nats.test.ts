import { jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { headers } from '@nats-io/nats-core';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectInspector, connectLog } from '../../../src/log/jetstream/connect.ts';
import type { StreamInspector } from '../../../src/log/jetstream/stream-inspector.ts';
import type { Log } from '../../../src/ports.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

let server: TestNatsServer;
let client: NatsConnection;
let log: Log;
let inspector: StreamInspector;
const dayNanos = 86_400_000 * 1_000_000;

beforeAll(async () => {
  server = await startNatsServer();
  const { url, user, password } = server;
  const settings = { servers: [url], user, password, replicas: 1, maxStreamBytes: 64 * 1024 * 1024 };
  client = await connect({ servers: url, user, pass: password });
  log = await connectLog(settings);
  await log.prepare(1);
  inspector = await connectInspector(settings, 1);
});

afterAll(async () => {
  await Promise.all([log?.close(), inspector?.close(), client?.close()]);
  await server?.stop();
});

async function change(stream: string, members: Record<string, unknown>): Promise<StreamConfig> {
  const { streams } = await jetstreamManager(client);
  const { config } = await streams.info(stream);
  await streams.update(stream, { ...config, ...members } as StreamConfig);
  return config;
}

it('finds nothing where everything is as storage made it', async () => {
  expect(await inspector.differences()).toEqual(new Map());
});

it.each<[stream: string, members: Record<string, unknown>, found: RegExp]>([
  ['CMD_0', { subjects: ['cmd.0.*', 'wallet.authenticate'] }, /subjects is .*wallet.authenticate/],
  ['AUDIT', { sources: [{ name: 'KV_ACCOUNTS' }] }, /sources is .*KV_ACCOUNTS/],
  ['CMD_0', { republish: { src: '>', dest: 'spy.>' } }, /republish is .*spy/],
  ['CMD_0', { subject_transform: { src: 'cmd.0.b', dest: 'cmd.0.own' } }, /subject_transform is /],
  ['AUDIT', { max_age: dayNanos }, /max_age is 86400000000000, not not set/],
  ['OUT_0', { max_age: dayNanos }, /max_age is 86400000000000, not 3024000000000000/],
  ['OUT_0', { discard: 'old' }, /discard is "old", not "new"/],
  ['OUT_0', { max_msgs: 5 }, /max_msgs is 5/],
  ['OBJ_SEGMENTS', { max_msgs_per_subject: 1 }, /max_msgs_per_subject is 1/],
  ['OBJ_SEGMENTS', { allow_rollup_hdrs: true }, /allow_rollup_hdrs is true/],
  ['KV_ACCOUNTS', { allow_atomic: true }, /allow_atomic is true/],
  ['KV_LEASES', { placement: { tags: ['elsewhere'] } }, /placement is /],
  ['KV_LEASES', { description: 'changed' }, /description is "changed"/],
  ['KV_LEASES', { metadata: { owner: 'somebody' } }, /metadata is .*somebody/],
  ['CMD_0', { duplicate_window: 1_000_000_000 }, /duplicate_window is 1000000000/],
])('finds that %s has %o', async (stream, members, found) => {
  const before = await change(stream, members);
  const differences = await inspector.differences();
  expect([...differences.keys()]).toEqual([stream]);
  expect(differences.get(stream)?.join('; ')).toMatch(found);
  const { streams } = await jetstreamManager(client);
  await streams.update(stream, before);
  const absent = Object.fromEntries(
    Object.keys(members).flatMap((each) => (each in before ? [] : [[each, undefined]])),
  );
  await streams.update(stream, { ...before, ...absent } as StreamConfig);
  expect(await inspector.differences()).toEqual(new Map());
});

it('takes a stream that is just being trimmed as it is, for ten seconds', async () => {
  const mark = (ageMs: number) => ({ 'potstream-trim': `3 ${new Date(Date.now() - ageMs).toISOString()}` });
  const narrowed = (ageMs: number) => ({ discard: 'old', max_msgs: 5, metadata: mark(ageMs) });
  const before = await change('CMD_0', narrowed(0));
  expect(await inspector.differences()).toEqual(new Map());
  await change('CMD_0', narrowed(60_000));
  expect((await inspector.differences()).get('CMD_0')?.join()).toMatch(/narrowed for [56]\d s/);
  const { streams } = await jetstreamManager(client);
  await streams.update('CMD_0', { ...before, metadata: {} });
});

it('takes ages that are suspended, and no shorter one afterwards', async () => {
  const kept = (nanos: number) => ({ max_age: 0, metadata: { 'potstream-keep-age': String(nanos) } });
  const before = await change('CMD_0', kept(35 * dayNanos));
  expect(await inspector.differences()).toEqual(new Map());
  await change('CMD_0', kept(dayNanos));
  expect((await inspector.differences()).get('CMD_0')?.join()).toMatch(/max_age is 86400000000000/);
  const { streams } = await jetstreamManager(client);
  await streams.update('CMD_0', { ...before, metadata: {} });
});

it('finds that a stream is gone', async () => {
  const { streams } = await jetstreamManager(client);
  await streams.delete('KV_NONCES');
  expect(await inspector.differences()).toEqual(new Map([['KV_NONCES', ['it does not exist']]]));
});

it('makes tables and archives of the release before refuse what removes the entries of others', async () => {
  const { streams } = await jetstreamManager(client);
  for (const [name, subjects] of [
    ['KV_LEASES', ['$KV.LEASES.>']],
    ['OBJ_EPOCHS', ['$O.EPOCHS.C.>', '$O.EPOCHS.M.>']],
  ] as const) {
    await streams.delete(name);
    await streams.add({
      ...{ name, subjects: [...subjects], storage: 'file', discard: 'new', num_replicas: 1 },
      ...{ allow_direct: true, allow_rollup_hdrs: true },
      ...(name === 'KV_LEASES' ? { max_msgs_per_subject: 1, deny_delete: true, allow_msg_ttl: true } : {}),
    } as StreamConfig);
  }
  const store = async (subject: string, rollup?: string) => {
    const message = headers();
    if (rollup !== undefined) message.set('Nats-Rollup', rollup);
    return (await client.request(subject, 'x', { headers: message, timeout: 10_000 })).json<{
      error?: { description: string };
    }>();
  };
  await store('$KV.LEASES.wallet.0');
  await store('$O.EPOCHS.M.one');
  const { url, user, password } = server;
  const next = await connectLog({ servers: [url], user, password, replicas: 1 });
  await next.prepare(1);
  await next.close();
  expect(await inspector.differences()).toEqual(new Map());
  for (const subject of ['$KV.LEASES.x', '$O.EPOCHS.M.x'])
    for (const rollup of ['all', 'sub'])
      expect((await store(subject, rollup)).error?.description).toMatch(/rollup/);
  await expect(streams.purge('KV_LEASES')).rejects.toThrow(/purge/);
  expect((await streams.info('KV_LEASES')).state.messages).toBe(1);
});

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { archiveChunks, archiveEntry, archiveStream } from '../../../src/log/base/names.ts';
import { connectStorage, type StorageAccess } from '../../../src/log/jetstream/connect.ts';
import type { Archive } from '../../../src/ports.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

const always = Number.POSITIVE_INFINITY;
let server: TestNatsServer;
let client: NatsConnection;
let storage: StorageAccess;
let archive: Archive;

beforeAll(async () => {
  server = await startNatsServer();
  const { url, user, password } = server;
  client = await connect({ servers: url, user, pass: password });
  storage = await connectStorage({ servers: [url], user, password, replicas: 1 });
  archive = await storage.log.archive('EPOCHS');
});

afterAll(async () => {
  await client?.close();
  await Promise.all([storage?.log.close(), storage?.bus.close()]);
  await server?.stop();
});

const bytesOf = (size: number, fill: number): Uint8Array => new Uint8Array(size).fill(fill);

async function subjects(name: 'EPOCHS' | 'SEGMENTS' = 'EPOCHS'): Promise<Record<string, number>> {
  const { streams } = await jetstreamManager(client);
  return (await streams.info(archiveStream(name), { subjects_filter: '>' })).state.subjects ?? {};
}

async function entryOf(name: string): Promise<{ nuid: string }> {
  const { streams } = await jetstreamManager(client);
  const stored = await streams.getMessage(archiveStream('EPOCHS'), {
    last_by_subj: archiveEntry('EPOCHS', name),
  });
  return stored!.json();
}

/** As whoever may write the archive can. */
async function forgeEntry(name: string, entry: object): Promise<void> {
  await jetstream(client).publish(archiveEntry('EPOCHS', name), JSON.stringify({ name, ...entry }));
}

it('frees what was replaced or removed, and nothing else', async () => {
  await archive.put('kept', bytesOf(300_000, 1));
  await archive.put('replaced', bytesOf(300_000, 2));
  await archive.put('removed', bytesOf(300_000, 3));
  const [kept, before, removed] = await Promise.all(['kept', 'replaced', 'removed'].map(entryOf));
  await archive.put('replaced', bytesOf(10, 4));
  await archive.remove('removed');
  expect(await archive.list()).toEqual(['kept', 'replaced']);
  await storage.room.free('EPOCHS', always);
  const after = await entryOf('replaced');
  expect(await subjects()).toEqual({
    [archiveEntry('EPOCHS', 'kept')]: 1,
    [archiveChunks('EPOCHS', kept!.nuid)]: 3,
    [archiveEntry('EPOCHS', 'replaced')]: 1,
    [archiveChunks('EPOCHS', after.nuid)]: 1,
  });
  expect([before!.nuid, removed!.nuid]).not.toContain(after.nuid);
  expect(await archive.get('removed')).toBeNull();
  expect(await archive.get('kept')).toEqual(bytesOf(300_000, 1));
});

it.each([
  ['names the chunks of another object', async () => entryOf('kept')],
  ['names the chunks of every object', async () => ({ nuid: '>' })],
  ['names the chunks of any object', async () => ({ nuid: '*' })],
])('frees nothing of others for a replaced entry that %s', async (_, forged) => {
  const { nuid } = await forged();
  await forgeEntry('forged', { nuid, size: 1, chunks: 1, digest: '' });
  await forgeEntry('forged', { nuid: 'another', size: 1, chunks: 1, digest: '' });
  await forgeEntry('forged', { nuid: 'another', deleted: true });
  await storage.room.free('EPOCHS', always);
  expect(await archive.get('kept')).toEqual(bytesOf(300_000, 1));
  expect(await archive.get('replaced')).toEqual(bytesOf(10, 4));
});

it('reads an object to which somebody has added a chunk', async () => {
  const { nuid } = await entryOf('kept');
  await jetstream(client).publish(archiveChunks('EPOCHS', nuid), bytesOf(100, 9));
  expect(await archive.get('kept')).toEqual(bytesOf(300_000, 1));
});

it('keeps what is younger than the operator says, though its entry says that it is gone', async () => {
  const segments = await storage.log.archive('SEGMENTS');
  await segments.put('0/a', bytesOf(10, 5));
  const before = await subjects('SEGMENTS');
  await segments.remove('0/a');
  await storage.room.free('SEGMENTS', Date.now() - 60_000);
  expect(Object.keys(await subjects('SEGMENTS'))).toEqual(Object.keys(before));
  await storage.room.free('SEGMENTS', Date.now() + 60_000);
  expect(await subjects('SEGMENTS')).toEqual({});
});

it('keeps an upload that is not complete yet', async () => {
  await jetstream(client).publish(archiveChunks('EPOCHS', 'uploading'), bytesOf(10, 6));
  const { url, user, password } = server;
  const next = await connectStorage({ servers: [url], user, password, replicas: 1 });
  await next.room.free('EPOCHS', always);
  expect(await subjects()).toHaveProperty([archiveChunks('EPOCHS', 'uploading')]);
  await Promise.all([next.log.close(), next.bus.close()]);
});

it('shares objects with the client of NATS, with which earlier releases wrote them', async () => {
  const store = await new Objm(jetstream(client)).open('EPOCHS');
  await archive.put('ours', bytesOf(300_000, 8));
  expect(await store.getBlob('ours')).toEqual(bytesOf(300_000, 8));
  const { streams } = await jetstreamManager(client);
  const { config } = await streams.info(archiveStream('EPOCHS'));
  await streams.update(archiveStream('EPOCHS'), { ...config, allow_rollup_hdrs: true });
  await store.putBlob({ name: 'of the client' }, bytesOf(200_000, 7));
  expect(await archive.get('of the client')).toEqual(bytesOf(200_000, 7));
});

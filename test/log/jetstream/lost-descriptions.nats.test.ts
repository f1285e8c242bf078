import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import type { LogSettings } from '../../../src/log/roles/settings.ts';
import { healthFault, lostStreams } from '../../../src/supervisor/nats-server/monitor.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

/** A busy server may not answer in time, which is a fault, too. */
const patience = { timeout: 60_000 };
let server: TestNatsServer;
let settings: LogSettings;

beforeAll(async () => {
  server = await startNatsServer();
  settings = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
});

afterAll(() => server.stop());

const damages = {
  'a bit of it is flipped': (file: string) => {
    const content = readFileSync(file);
    content[content.length >> 1]! ^= 4;
    writeFileSync(file, content);
  },
  'it is empty': (file: string) => truncateSync(file),
  'it is gone': (file: string) => rmSync(file),
};

// docs/decisions/0071
it.each(Object.entries(damages))('a stream has its messages again where %s', async (_, damage) => {
  const log = await connectLog(settings);
  await log.prepare(2);
  const table = await log.table('DIRECTORY');
  const revision = await table.put('key', Uint8Array.of(1), (await table.get('key'))?.revision ?? 0);
  await (await log.archive('SNAPSHOTS')).put('name', Uint8Array.of(2));
  const stored = await log.append(1, 'batch', Uint8Array.of(3), { messageId: `of ${revision}` });
  await log.close();
  await server.shutDown();
  const streams = join(server.storeDirectory, 'jetstream/$G/streams');
  const names = readdirSync(streams).toSorted();
  for (const name of names) damage(join(streams, name, 'meta.inf'));

  await server.restart();
  const lost = () => lostStreams(server.monitorUrl, server.storeDirectory);
  await expect.poll(lost, patience).toEqual(names);
  const after = await connectLog(settings);
  await after.prepare(2);
  expect((await (await after.table('DIRECTORY')).get('key'))?.revision).toBe(revision);
  expect(await (await after.archive('SNAPSHOTS')).get('name')).toEqual(Uint8Array.of(2));
  expect(stored).toMatchObject({ kind: 'stored', sequence: await after.lastCommand(1) });
  await expect.poll(() => healthFault(server.monitorUrl), patience).toBeNull();
  expect(await lost()).toEqual([]);
  await after.close();
});

import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { behindSeen } from '../../../src/actors/witness/table-witness.ts';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import type { LogSettings } from '../../../src/log/roles/settings.ts';
import { flipBitIn } from '../../support/damage.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

let server: TestNatsServer;
let settings: LogSettings;

beforeAll(async () => {
  server = await startNatsServer();
  settings = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
});

afterAll(() => server.stop());

const keys = ['a', 'b', 'c', 'd'];
const bytesOf = (key: string): Buffer => Buffer.from(`the value of ${key.repeat(20)}`);

/** The text of the next one, among other warnings of the process. */
function damageWarning(): Promise<string> {
  return new Promise((resolve) => {
    const heard = ({ code, message }: Error & { readonly code?: string }): void => {
      if (code !== 'POTSTREAM_TABLE_DAMAGED') return;
      process.off('warning', heard);
      resolve(message);
    };
    process.on('warning', heard);
  });
}

// docs/decisions/0071
it('a table is read without an entry that is damaged, and that is told', async () => {
  const log = await connectLog(settings);
  await log.prepare(2);
  const table = await log.table('DIRECTORY');
  for (const key of keys) await table.put(key, bytesOf(key), 0);
  await log.close();
  await server.shutDown();
  const files = join(server.storeDirectory, 'jetstream/$G/streams/KV_DIRECTORY');
  await flipBitIn(files, bytesOf('b'));
  await server.restart();

  const warned = damageWarning();
  const after = await connectLog(settings);
  const damaged = await after.table('DIRECTORY');
  expect(await damaged.keys()).toEqual(['a', 'c', 'd']);
  expect(await warned).toContain('1 of its entries (b)');
  await after.close();
});

it('keys that nats-server has dropped with the end of a file are missed, though the table kept its revision', async () => {
  const log = await connectLog(settings);
  const table = await log.table('PLACEMENT');
  for (const key of keys) await table.put(key, bytesOf(key), 0);
  const seen = await log.tableExtent('PLACEMENT');
  expect(behindSeen('PLACEMENT', seen, seen)).toBeNull();
  await log.close();
  await server.shutDown();
  const file = join(server.storeDirectory, 'jetstream/$G/streams/KV_PLACEMENT/msgs/1.blk');
  truncateSync(file, statSync(file).size / 2);
  await server.restart();

  const after = await connectLog(settings);
  const extent = await after.tableExtent('PLACEMENT');
  expect(extent.revision).toBe(seen.revision);
  expect(behindSeen('PLACEMENT', extent, seen)).toMatch(/^KV PLACEMENT has [0-3] keys, but this host saw 4/);
  await after.close();
});

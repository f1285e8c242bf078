import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run as runActors } from '../../src/actors/main.ts';
import { readSettings, type Settings } from '../../src/config/settings.ts';
import { storageSubject } from '../../src/log/base/names.ts';
import { connectBus, connectLog } from '../../src/log/jetstream/connect.ts';
import { encodeLaneNeed } from '../../src/log/lanes/storage-question.ts';
import type { RunningRole } from '../../src/runtime/role.ts';
import { run as runStorage } from '../../src/storage/main.ts';
import { freePort } from '../support/free-port.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';

const patience = { timeout: 60_000 };
let server: TestNatsServer;
let data: string;
const running = new Map<number, RunningRole>();
const denied: string[] = [];
const waits: string[] = [];
const collect = (warning: Error & { code?: string }): void => {
  if (warning.code === 'POTSTREAM_NATS_PERMISSION_DENIED') denied.push(warning.message);
  if (warning.code === 'POTSTREAM_WAITS_FOR_STORAGE') waits.push(warning.message);
};

beforeAll(async () => {
  process.on('warning', collect);
  server = await startNatsServer({ lanes: 2 });
  data = await mkdtemp(join(tmpdir(), 'potstream-test-storage-'));
});

afterAll(async () => {
  process.off('warning', collect);
  for (const role of running.values()) await role.stop();
  await server.stop();
  await rm(data, { recursive: true, force: true });
});

/** With the credential of the role alone, at the real permissions. */
function settings(role: 'storage' | 'actors', directory: string, port: number): Settings {
  return readSettings({
    POTSTREAM_DATA: join(data, directory),
    POTSTREAM_LANES: '2',
    POTSTREAM_NATS_URL: server.url,
    POTSTREAM_NATS_USER: role,
    POTSTREAM_NATS_PASSWORD: role,
    POTSTREAM_OPERATIONS_PORT: String(port),
    POTSTREAM_STREAM_MAX_BYTES: String(64 * 1024 * 1024),
  });
}

async function startStorage(directory: string): Promise<number> {
  const port = await freePort();
  running.set(port, await runStorage(settings('storage', directory, port)));
  return port;
}

async function works(port: number): Promise<boolean> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return /^potstream_storage_works 1$/m.test(text);
}

it('makes what actors wait for, and they say whom they wait for', async () => {
  const port = await freePort();
  const starting = runActors(settings('actors', 'actors', port));
  await expect
    .poll(() => waits, patience)
    .toEqual([expect.stringMatching(/waits for storage.*KV_PLACEMENT/)]);
  await startStorage('one');
  running.set(port, await starting);
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
  await expect.poll(ready, patience).toEqual({ status: 'ok' });
  expect(denied).toEqual([]);
});

it('works in one process, and in the next one when that ends', async () => {
  const [first] = [...running.keys()].slice(1);
  const one = [...running.keys()].find((port) => port !== first && running.size > 1)!;
  await expect.poll(() => works(one), patience).toBe(true);
  const two = await startStorage('two');
  expect([await works(one), await works(two)]).toEqual([true, false]);
  await running.get(one)?.stop();
  running.delete(one);
  await expect.poll(() => works(two), patience).toBe(true);
  expect(denied).toEqual([]);
});

it('takes questions about lanes, and drops nothing that is not archived, whatever they say', async () => {
  const reach = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  const [log, bus] = [await connectLog(reach), await connectBus(reach)];
  const before = await log.extents(0);
  expect(before.commands.messages).toBeGreaterThan(0);
  const need = { lane: 0, keepFrom: Number.POSITIVE_INFINITY, isPressed: true };
  const answer = await bus.request(storageSubject, encodeLaneNeed(need), 10_000);
  expect(Buffer.from(answer).toString()).toBe('taken');
  for (const bytes of ['', 'x', '{"lane":2,"keep_from":null,"is_pressed":true}', '{"lane":-1}'])
    await expect(bus.request(storageSubject, Buffer.from(bytes), 300)).rejects.toMatchObject({
      code: 'unavailable',
    });
  expect((await log.extents(0)).commands.firstSequence).toBe(before.commands.firstSequence);
  await Promise.all([log.close(), bus.close()]);
});

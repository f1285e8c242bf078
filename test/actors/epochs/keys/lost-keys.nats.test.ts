import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../../../src/actors/main.ts';
import { requireKeys } from '../../../../src/cli/up/keys.ts';
import { readSettings, type Settings } from '../../../../src/config/settings.ts';
import { connectLog } from '../../../../src/log/jetstream/connect.ts';
import { makeSystem } from '../../../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../../../support/nats-server.ts';

let server: TestNatsServer;
let data: string;

beforeEach(async () => {
  server = await startNatsServer();
  await makeSystem(server, 1);
  data = mkdtempSync(join(tmpdir(), 'potstream-test-lost-keys-'));
});
afterEach(async () => {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});

function settings(changes: Record<string, string> = {}): Settings {
  return readSettings({
    POTSTREAM_DATA: data,
    POTSTREAM_LANES: '1',
    POTSTREAM_NATS_URL: server.url,
    POTSTREAM_NATS_USER: server.user,
    POTSTREAM_NATS_PASSWORD: server.password,
    ...changes,
  });
}

async function claimed(): Promise<void> {
  const { url, user, password } = server;
  const log = await connectLog({ servers: [url], user, password, replicas: 1 });
  await expect.poll(() => log.lastCommand(0), { timeout: 60_000 }).toBeGreaterThan(0);
  await log.close();
}

const ring = () => join(data, 'keys', 'draws', 'epoch-seeds.json');

it('actors make keys for an empty log only', async () => {
  await requireKeys(settings());
  const first = await run(settings());
  expect(existsSync(ring())).toBe(true);
  await claimed();
  await first.stop();
  rmSync(join(data, 'keys'), { recursive: true });
  await expect(run(settings())).rejects.toMatchObject({ code: 'key_file_missing', retryable: false });
  await expect(requireKeys(settings())).rejects.toMatchObject({
    code: 'keys_missing',
    message: expect.stringContaining('epoch-seeds.json is missing'),
  });
  expect(existsSync(ring())).toBe(false);
  const newKeys = settings({ POTSTREAM_NEW_KEYS: '1' });
  await requireKeys(newKeys);
  const second = await run(newKeys);
  expect(existsSync(ring())).toBe(true);
  await second.stop();
  await requireKeys(settings());
});

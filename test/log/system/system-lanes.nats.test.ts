import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run as runActors } from '../../../src/actors/main.ts';
import { readSettings, type Settings } from '../../../src/config/settings.ts';
import { run as runFanout } from '../../../src/fanout/main.ts';
import { run as runGateway } from '../../../src/gateway/main.ts';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import { findSystemId } from '../../../src/log/system/system-id.ts';
import { foundSystem, requireLanes } from '../../../src/log/system/system-lanes.ts';
import type { Log } from '../../../src/ports.ts';
import { run as runStorage } from '../../../src/storage/main.ts';
import { systemRandom } from '../../../src/wiring.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

let server: TestNatsServer;
let log: Log;
let data: string;

beforeAll(async () => {
  server = await startNatsServer();
  log = await connectLog({
    servers: [server.url],
    user: server.user,
    password: server.password,
    replicas: 1,
  });
  data = await mkdtemp(join(tmpdir(), 'potstream-test-lanes-'));
});
afterAll(async () => {
  await log.close();
  await server.stop();
  await rm(data, { recursive: true, force: true });
});

function settings(lanes: number): Settings {
  return readSettings({
    POTSTREAM_DATA: data,
    POTSTREAM_LANES: String(lanes),
    POTSTREAM_NATS_URL: server.url,
    POTSTREAM_NATS_USER: server.user,
    POTSTREAM_NATS_PASSWORD: server.password,
  });
}

const refusal = { code: 'misconfigured', message: expect.stringMatching(/created with 3 lanes.*says 4/) };

it('a new system has its number and its id before it has a lane, whoever makes it at once', async () => {
  await Promise.all([foundSystem(log, 3, systemRandom), foundSystem(log, 3, systemRandom)]);
  const placement = await log.table('PLACEMENT');
  await requireLanes(placement, 3);
  expect(await findSystemId(placement)).toMatch(/^[0-9a-f]{24}$/);
  await expect(foundSystem(log, 4, systemRandom)).rejects.toMatchObject(refusal);
  await log.prepare(3);
});

it('every role that reckons with lanes refuses another number, and names both', async () => {
  for (const run of [runActors, runGateway, runFanout])
    await expect(run(settings(4))).rejects.toMatchObject(refusal);
  await expect(runStorage(settings(4))).rejects.toMatchObject({
    code: 'lanes_changed',
    message: expect.stringContaining('POTSTREAM_LANES=3'),
  });
});

it.each(['system.lanes', 'system.id'])(
  'a system with lanes and without %s is not taken for a new one',
  async (key) => {
    const placement = await log.table('PLACEMENT');
    const entry = (await placement.get(key))!;
    await placement.remove(key, entry.revision);
    for (const lanes of [3, 4])
      await expect(runStorage(settings(lanes))).rejects.toMatchObject({
        code: 'lanes_changed',
        message: expect.stringMatching(key === 'system.id' && lanes === 4 ? /created with 3 lanes/ : key),
      });
    await placement.put(key, entry.value, 0);
    await foundSystem(log, 3, systemRandom);
  },
);

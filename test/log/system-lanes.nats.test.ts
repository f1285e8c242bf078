import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run as runActors } from '../../src/actors/main.ts';
import { requireSystemLanes } from '../../src/cli/up/lanes.ts';
import { readSettings, type Settings } from '../../src/config.ts';
import { run as runFanout } from '../../src/fanout/main.ts';
import { run as runGateway } from '../../src/gateway/main.ts';
import { connectLog } from '../../src/log/connect.ts';
import { requireLanes } from '../../src/log/system-lanes.ts';
import type { Log } from '../../src/ports.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';

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

it('a new system lets everybody pass until its owner has said how many lanes it has', async () => {
  await requireLanes(await log.table('PLACEMENT'), 7, false);
  await requireSystemLanes(settings(7));
});

it('of two that create it at once both have the same number or one is refused', async () => {
  const placement = await log.table('PLACEMENT');
  const started = await Promise.allSettled([
    requireLanes(placement, 3, true),
    requireLanes(placement, 3, true),
  ]);
  expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  await expect(requireLanes(placement, 4, true)).rejects.toMatchObject(refusal);
});

it('every role that reckons with lanes refuses another number, and names both', async () => {
  for (const run of [runActors, runGateway, runFanout])
    await expect(run(settings(4))).rejects.toMatchObject(refusal);
  await expect(requireSystemLanes(settings(4))).rejects.toMatchObject({
    code: 'lanes_changed',
    message: expect.stringContaining('POTSTREAM_LANES=3'),
  });
});

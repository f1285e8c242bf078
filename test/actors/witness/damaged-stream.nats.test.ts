import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../../src/actors/main.ts';
import { readSettings } from '../../../src/config/settings.ts';
import type { RunningRole } from '../../../src/runtime/role.ts';
import { freePort } from '../../support/free-port.ts';
import { makeSystem } from '../../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

const patienceMs = 60_000;
let server: TestNatsServer;
let data: string;
let role: RunningRole;

beforeAll(async () => {
  server = await startNatsServer();
  data = await mkdtemp(join(tmpdir(), 'potstream-test-stream-'));
});
afterAll(async () => {
  await role?.stop();
  await server.stop();
  await rm(data, { recursive: true, force: true });
});

it('a stream that is not as it must be stops its lane, and the actors serve the others', async () => {
  await makeSystem(server, 2);
  const connection = await connect({ servers: server.url, user: server.user, pass: server.password });
  const { streams } = await jetstreamManager(connection);
  await streams.delete('CMD_0');
  await streams.add({ name: 'CMD_0', subjects: ['cmd.0.b', 'cmd.0.own', 'cmd.0.ctl'], allow_direct: true });
  await connection.close();
  const port = await freePort();
  role = await run(
    readSettings({
      POTSTREAM_DATA: data,
      POTSTREAM_LANES: '2',
      POTSTREAM_NATS_URL: server.url,
      POTSTREAM_NATS_USER: server.user,
      POTSTREAM_NATS_PASSWORD: server.password,
      POTSTREAM_OPERATIONS_PORT: String(port),
    }),
  );
  const readiness = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    return [answer.status, await answer.json()];
  };
  const degraded = { status: 'degraded', lanes: [{ lane: 0, condition: 'stopped', code: 'misconfigured' }] };
  await expect.poll(readiness, { timeout: patienceMs }).toMatchObject([200, degraded]);
});

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../src/actors/main.ts';
import { readWitness } from '../../src/actors/witness/witness-files.ts';
import { extentOf, headsOf } from '../../src/actors/witness/witness-lines.ts';
import { readSettings } from '../../src/config/settings.ts';
import { allHeartbeatsSubject, allTicksSubject } from '../../src/log/base/names.ts';
import { connectBus, connectLog } from '../../src/log/jetstream/connect.ts';
import type { Heartbeat, ReceivedTick } from '../../src/messages/bus-messages.ts';
import {
  decodeHeartbeat,
  decodeLaneTick,
  decodeOutcomeRecord,
  encodeCommandBatch,
} from '../../src/messages/codec/codec.ts';
import type { RunningRole } from '../../src/runtime/role.ts';
import { createInstance } from '../jackpot/support/commands.ts';
import { threePots } from '../jackpot/support/configurations.ts';
import { freePort } from '../support/free-port.ts';
import { makeSystem } from '../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';

const patienceMs = 60_000;
let server: TestNatsServer;
let data: string;
let role: RunningRole;
let operationsPort: number;

beforeAll(async () => {
  server = await startNatsServer();
  data = await mkdtemp(join(tmpdir(), 'potstream-test-role-'));
  await makeSystem(server, 2);
  operationsPort = await freePort();
  role = await run(
    readSettings({
      POTSTREAM_DATA: data,
      POTSTREAM_LANES: '2',
      POTSTREAM_NATS_URL: server.url,
      POTSTREAM_NATS_USER: server.user,
      POTSTREAM_NATS_PASSWORD: server.password,
      POTSTREAM_OPERATIONS_PORT: String(operationsPort),
    }),
  );
});
afterAll(async () => {
  await server.stop();
  await rm(data, { recursive: true, force: true });
});

function operations(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${operationsPort}${path}`);
}

it('owns its lanes, beats, ticks, shows its metrics, and keeps a snapshot of each lane when it drains', async () => {
  await expect.poll(async () => (await operations('/readyz')).status, { timeout: patienceMs }).toBe(200);
  const reach = {
    servers: [server.url],
    user: server.user,
    password: server.password,
    replicas: 1,
    maxStreamBytes: 64 * 1024 * 1024,
  };
  const [log, bus] = [await connectLog(reach), await connectBus(reach)];
  const beats: Heartbeat[] = [];
  const ticks: ReceivedTick[] = [];
  bus.subscribe(allHeartbeatsSubject, (message) => void beats.push(decodeHeartbeat(message.bytes)));
  bus.subscribe(allTicksSubject, (message) => void ticks.push(decodeLaneTick(message.bytes)));
  const batchId = new Uint8Array(16).fill(1);
  const commands = [createInstance(threePots())];
  await log.append(1, 'batch', encodeCommandBatch({ batchId, gateway: 'g', commands }), { messageId: 'one' });

  await expect.poll(() => new Set(beats.map(({ lane }) => lane)).size, { timeout: patienceMs }).toBe(2);
  const announced = () => ticks.filter(({ allLiveValues }) => allLiveValues.length > 0);
  await expect.poll(() => announced().length, { timeout: patienceMs }).toBeGreaterThan(0);
  const allLiveValues = [{ instance: 'jackpot', status: 'Pending' }];
  for (const tick of announced()) expect(tick).toMatchObject({ lane: 1, allLiveValues });
  const metrics = await (await operations('/metrics')).text();
  expect(metrics).toContain('potstream_actors_lane_owned{lane="1"} 1');
  // The fill is looked at beside the lanes' start, lane by lane.
  await expect
    .poll(async () => (await operations('/metrics')).text(), { timeout: patienceMs })
    .toMatch(/potstream_actors_stream_fill_ratio\{lane="1",stream="CMD_1"\} (0|[\d.]+e-\d+)\n/);
  expect(metrics).toMatch(/potstream_actors_commands_applied_total\{lane="1"\} [1-9]/);

  await role.stop();
  for (const lane of ['0', '1']) {
    const files = await readdir(join(data, 'snapshots', lane));
    expect(files.filter((name) => name.endsWith('.snapshot'))).toHaveLength(1);
  }
  const witnessed = await readWitness({ dataDirectory: data, secondDirectory: null });
  for (const lane of [0, 1]) {
    const sequence = await log.lastOutcome(lane);
    const [newest] = headsOf(witnessed, lane).slice(-1);
    const { laneHead } = decodeOutcomeRecord((await log.readOutcome(lane, sequence))!.bytes);
    expect(newest).toMatchObject({ sequence, head: Buffer.from(laneHead).toString('hex') });
  }
  expect(extentOf(witnessed, 'PLACEMENT').revision).toBeGreaterThan(0);
  expect((await stat(join(data, 'keys', 'draws', 'epoch-seeds.json'))).mode & 0o777).toBe(0o600);
  expect(await log.lastOutcome(1)).toBe(await log.lastCommand(1));
  await Promise.all([log.close(), bus.close()]);
});

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Access, openAccess } from '../../src/access/access.ts';
import { readSettings } from '../../src/config/settings.ts';
import { run as runFanout } from '../../src/fanout/main.ts';
import { querySubject, tickSubject } from '../../src/log/base/names.ts';
import { connectBus, connectLog } from '../../src/log/jetstream/connect.ts';
import {
  encodeLaneQueryAnswer,
  encodeLaneQueryRequest,
  encodeLaneTick,
  encodeOutcomeRecord,
} from '../../src/messages/codec/codec.ts';
import { packLiveValues } from '../../src/messages/codec/live-values.ts';
import type { LaneEvent } from '../../src/messages/events.ts';
import type { Bus, Log } from '../../src/ports.ts';
import type { RunningRole } from '../../src/runtime/role.ts';
import { logSettings, systemClock, systemRandom } from '../../src/wiring.ts';
import { freePort } from '../support/free-port.ts';
import { makeSystemOn } from '../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';
import { describedLiveValues, describeInstance, TestSocket, until, won } from './feed-world.ts';

const patienceMs = 90_000;
const data = mkdtempSync(join(tmpdir(), 'potstream-fanout-role-'));
let nats: TestNatsServer;
let settings: ReturnType<typeof readSettings>;
let owner: { readonly log: Log; readonly bus: Bus; readonly access: Access };
let role: RunningRole;
let token: string;
let stored = 0;

/** Plays the lane's owner: answers for its state, stores records, ticks. */
beforeAll(async () => {
  nats = await startNatsServer();
  settings = readSettings({
    POTSTREAM_DATA: data,
    POTSTREAM_LANES: '1',
    POTSTREAM_NATS_URL: nats.url,
    POTSTREAM_NATS_USER: nats.user,
    POTSTREAM_NATS_PASSWORD: nats.password,
    POTSTREAM_FANOUT_PORT: String(await freePort()),
  });
  const reach = logSettings(settings, 'start');
  const log = await connectLog({ ...reach, role: 'storage' });
  const bus = await connectBus(reach);
  await makeSystemOn(log, 1);
  role = await runFanout(settings);
  const access = await openAccess(await log.table('ACCOUNTS'), {
    clock: systemClock,
    random: systemRandom,
    keysDirectory: join(data, 'keys-of-a-gateway'),
  });
  owner = { log, bus, access };
  const description = describeInstance('pot-1', {});
  bus.subscribe(querySubject(0), (message) => {
    const instances = [{ description, liveValues: describedLiveValues(description) }];
    message.respond(
      encodeLaneQueryAnswer({
        kind: 'state',
        sequence: stored,
        total: 1,
        next: 1,
        instances,
        bindings: [],
      }),
    );
  });
  const user = { username: 'feed', password: 'a long enough password', operator: 'demo', brands: null };
  const account = await access.createServiceUser(user);
  token = await access.tokens.issueFeed(account!);
});

afterAll(async () => {
  await role?.stop();
  await owner?.access.stop();
  await Promise.all([owner?.log.close(), owner?.bus.close()]);
  await nats?.stop();
  rmSync(data, { recursive: true, force: true });
});

it('verifies tokens without a key of its own', () => {
  expect(existsSync(join(data, 'keys'))).toBe(false);
});

it('follows stored records through kill -9 of nats-server and its own restart, without a gap', async () => {
  let socket = await subscribed({});
  await store([won('pot-1', 1)]);
  await until(() => socket.of('WinEvent').length === 1);
  tick(7, 42_00000000n);
  await until(() => socket.frames.at(-1)?.seq === 7);

  await nats.restart();
  // The server has the owner's subscriptions before what it sends behind them.
  while (!(await isHeard())) await new Promise((resolve) => setTimeout(resolve, 20));
  await store([won('pot-1', 2)]);
  await store([won('pot-1', 3)]);
  await until(() => socket.of('WinEvent').length === 3);
  expect(socket.of('WinEvent').map((frame) => frame.seq)).toEqual([1, 2, 3]);
  expect(socket.closeCode).toBe(null);

  await role.stop();
  await until(() => socket.closeCode !== null);
  expect(socket.closeCode).toBe(1001);
  role = await runFanout(settings);
  socket = await subscribed({ since: { 'pot-1': 1 } });
  await until(() => socket.of('WinEvent').length === 2);
  expect(socket.of('JackpotUpdate')[0].data.recovered).toBe(true);
  expect(socket.of('WinEvent').map((frame) => frame.seq)).toEqual([2, 3]);
  socket.terminate();
});

/** Tries until the role is ready: before, it answers 503. */
async function subscribed(entry: Record<string, unknown>): Promise<TestSocket> {
  for (const untilMs = performance.now() + patienceMs; ; ) {
    const address = `ws://127.0.0.1:${settings.fanoutPort}/events/service?token=${token}`;
    const socket = new TestSocket(address);
    try {
      await socket.opened;
      socket.subscribe(entry);
      await until(() => socket.frames.length > 0);
      return socket;
    } catch (error) {
      socket.terminate();
      if (performance.now() > untilMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function isHeard(): Promise<boolean> {
  const question = encodeLaneQueryRequest({ minSequence: 0, query: { kind: 'state', offset: 0 } });
  return owner.bus.request(querySubject(0), question, 1_000).then(
    () => true,
    () => false,
  );
}

async function store(events: readonly LaneEvent[]): Promise<void> {
  const sequence = stored + 1;
  const record = {
    sequence,
    timestampMs: Date.now(),
    laneHead: new Uint8Array(32),
    instances: [],
    outcomes: [],
    events,
    work: [],
  };
  const routing = { wallet: false, hooks: false, events: true };
  for (const untilMs = performance.now() + patienceMs; ; ) {
    try {
      await owner.log.appendOutcome(0, sequence, routing, encodeOutcomeRecord(record));
      stored = sequence;
      return;
    } catch (error) {
      if (performance.now() > untilMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

function tick(sequence: number, currentAtoms: bigint): void {
  const liveValues = describedLiveValues(describeInstance('pot-1', { sequence }));
  const pots = liveValues.pots.map((pot) => ({ ...pot, currentAtoms }));
  owner.bus.publish(
    tickSubject(0),
    encodeLaneTick({
      lane: 0,
      appliedSequence: 100,
      storedOutcome: stored,
      liveValues: packLiveValues([{ ...liveValues, pots }]),
    }),
  );
}

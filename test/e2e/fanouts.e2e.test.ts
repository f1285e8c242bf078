import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { announceEveryMs } from '../../src/fanout/sockets/players-elsewhere.ts';
import { isAlive } from '../../src/runtime/process-identity.ts';
import { readRunRecord } from '../../src/runtime/run-record.ts';
import { potstream } from '../cli/support/command.ts';
import { ask } from '../support/keep-alive-load.ts';
import { AdministratorClient, loggedIn } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

/** Two fan-outs behind one port: how sockets spread, what a player has over both, and how one leaves. */
const patience = { timeout: 90_000, interval: 100 };
const names = ['fanout', 'fanout-2'];
const crowd = 60;
let system: RunningSystem;
let administrator: AdministratorClient;
let token: string;
let instance: string;
/** Where both listen. */
let port: number;

beforeAll(async () => {
  system = await startSystem({
    args: ['--no-traffic', '--fanouts', '2'],
    environment: { POTSTREAM_LANES: '1' },
  });
  port = Number(/2 fan-outs on port (\d+)/.exec(system.output())?.[1]);
  administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
  const gateway = Number(new URL(system.baseUrl).port);
  const lookup = await ask(gateway, 'GET', '/v1/jackpot/instances/source/slot-1/brand/demo:main');
  instance = lookup.json.id;
  token = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
});
afterAll(async () => {
  for (const viewer of viewers.splice(0)) viewer.close();
  await system?.stop();
});

const viewers: Viewer[] = [];

/** A screen that comes back with what it has seen, as docs/rules/feeds.md "Coming back" says. */
class Viewer {
  readonly counters: number[] = [];
  readonly closes: { code: number; reason: string; atMs: number }[] = [];
  /** `data.recovered` of snapshots after the first. */
  readonly recovered: unknown[] = [];
  #socket: WebSocket | null = null;
  #isOver = false;

  async open(): Promise<this> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/events/service?token=${token}`);
    this.#socket = socket;
    socket.on('message', (bytes) => this.#received(JSON.parse(String(bytes))));
    socket.on('close', (code, reason) => {
      this.closes.push({ code, reason: String(reason), atMs: performance.now() });
      if (!this.#isOver) void this.#comeBack();
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const last = this.counters.at(-1);
    const since = last === undefined ? {} : { since: { [instance]: last } };
    const wanted = { source: 'jackpot', event_type: '*', instance_ids: [instance], ...since };
    socket.send(JSON.stringify({ SubscribeRequest: { events: [wanted] } }));
    return this;
  }

  close(): void {
    this.#isOver = true;
    this.#socket?.terminate();
  }

  async #comeBack(): Promise<void> {
    for (let mostMs = 1_000; !this.#isOver; mostMs = Math.min(30_000, 2 * mostMs)) {
      await sleep(Math.random() * mostMs);
      try {
        await this.open();
        return;
      } catch {
        // Nobody takes it yet.
      }
    }
  }

  #received({
    event_type,
    seq,
    data,
  }: {
    event_type: string;
    seq: number;
    data: { recovered?: unknown };
  }): void {
    if (event_type === 'InstanceStatusEvent') this.counters.push(seq);
    if (event_type === 'JackpotUpdate' && data.recovered !== undefined) this.recovered.push(data.recovered);
  }
}

async function gathered(): Promise<void> {
  while (viewers.length < crowd) viewers.push(await new Viewer().open());
}

function pids(): Map<string, number> {
  const children = readRunRecord(join(system.dataDirectory, 'run'))?.children ?? [];
  return new Map(children.flatMap(({ name, process }) => (isAlive(process) ? [[name, process.pid]] : [])));
}

async function sockets(): Promise<number[]> {
  const text = await (await fetch(`${system.credentials.ops_url}/metrics`)).text();
  return names.map((name) =>
    Number(
      new RegExp(`^potstream_fanout_sockets\\{role="${name}"[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1] ?? -1,
    ),
  );
}

/** Counted events, one after the other, until `until` is true. @returns how many there were */
async function changesUntil(over: () => boolean): Promise<number> {
  let changes = 0;
  while (!over()) {
    for (const status of ['Paused', 'Active']) {
      const { status: answer, body } = await administrator.call(
        'POST',
        `/config/instances/${instance}/status`,
        {
          instance_id: instance,
          status,
          reason: 'a test',
        },
      );
      expect(answer, JSON.stringify(body)).toBeLessThan(300);
      changes += 1;
    }
    await sleep(200);
  }
  return changes;
}

/** Every viewer has the same events without a gap, and each once. */
async function sawAll(changes: number): Promise<void> {
  await vi.waitFor(() => {
    const lengths = new Set(viewers.map(({ counters }) => counters.length));
    expect([...lengths]).toEqual([changes]);
  }, patience);
  for (const { counters } of viewers)
    expect(counters).toEqual(Array.from({ length: changes }, (_, index) => counters[0]! + index));
}

let changes = 0;

test('share one port, and the kernel spreads the sockets', async () => {
  await gathered();
  expect([...pids().keys()].filter((name) => name.startsWith('fanout'))).toEqual(names);
  await vi.waitFor(async () => {
    const spread = await sockets();
    expect(spread[0]! + spread[1]!).toBe(crowd);
    expect(Math.min(...spread), `sockets ${spread}`).toBeGreaterThan(0);
  }, patience);
  let rounds = 0;
  changes += await changesUntil(() => rounds++ === 2);
  await sawAll(changes);
});

test('give a player five sockets over both', async () => {
  const [player] = system.credentials.players;
  const query = new URLSearchParams({ token: player!.token, currency: player!.currency });
  const opened: WebSocket[] = [];
  const open = async (): Promise<number> => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/events/demo/main?${query}`);
    const status = await new Promise<number>((resolve, reject) => {
      socket.once('open', () => resolve(101)).once('error', reject);
      socket.once('unexpected-response', (request, response) => {
        request.destroy();
        resolve(response.statusCode ?? 0);
      });
    });
    if (status === 101) opened.push(socket);
    // They tell each other every quarter of a second.
    await sleep(2 * announceEveryMs);
    return status;
  };
  for (let n = 0; n < 5; n += 1) expect(await open()).toBe(101);
  // Whichever process it comes to.
  for (let n = 0; n < 6; n += 1) expect(await open()).toBe(429);
  for (const socket of opened) socket.terminate();
  await vi.waitFor(async () => expect(await open()).toBe(101), patience);
  opened.at(-1)?.terminate();
});

test('restart one after the other: sockets leave in slices, and no counted event is missed', async () => {
  const old = pids();
  let restarted = false;
  const restart = potstream(['restart', 'fanouts'], { POTSTREAM_DATA: system.dataDirectory });
  void restart.then(() => {
    restarted = true;
  });
  changes += await changesUntil(() => restarted);
  const { code, stderr } = await restart;
  expect([code, stderr]).toEqual([0, 'fanout restarted.\nfanout-2 restarted.\n']);
  for (const name of names) expect(pids().get(name), name).not.toBe(old.get(name));
  await sawAll(changes);
  const closes = viewers.flatMap((viewer) => viewer.closes);
  expect(closes.length).toBeGreaterThanOrEqual(crowd);
  expect(new Set(closes.map(({ code: close, reason }) => `${close} ${reason}`))).toEqual(
    new Set(['1001 shutdown']),
  );
  expect(viewers.flatMap(({ recovered }) => recovered).every((each) => each === true)).toBe(true);
});

test('kill -9 of one: the other takes its sockets, and no counted event is missed', async () => {
  const victim = pids().get('fanout') as number;
  const lost = viewers.map(({ closes }) => closes.length);
  process.kill(victim, 'SIGKILL');
  let rounds = 0;
  changes += await changesUntil(() => rounds++ >= 5 && (pids().get('fanout') ?? victim) !== victim);
  await sawAll(changes);
  expect(
    viewers.some(({ closes }, index) => closes.length > lost[index]! && closes.at(-1)?.code === 1006),
  ).toBe(true);
});

test('share a port with the engine ws as well', async () => {
  for (const viewer of viewers.splice(0)) viewer.close();
  await system.stop();
  system = await startSystem({
    args: ['--no-traffic', '--fanouts', '2'],
    environment: { POTSTREAM_LANES: '1', POTSTREAM_WEBSOCKET_ENGINE: 'ws' },
  });
  port = Number(/2 fan-outs on port (\d+)/.exec(system.output())?.[1]);
  token = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
  await gathered();
  await vi.waitFor(async () => expect(Math.min(...(await sockets()))).toBeGreaterThan(0), patience);
});

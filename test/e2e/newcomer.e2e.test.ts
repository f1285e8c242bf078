import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestSocket, until } from '../fanout/feed-world.ts';
import { loggedIn } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

const patienceMs = 600_000;
/** Epochs that are read at each look: those of the last two minutes. */
const newest = 20;
const repository = resolve(import.meta.dirname, '../..');
let system: RunningSystem;
let socket: TestSocket | null = null;

/** As on a machine on which uWebSockets.js cannot be loaded. */
beforeAll(async () => {
  system = await startSystem({
    environment: { POTSTREAM_WEBSOCKET_ENGINE: 'ws', POTSTREAM_EPOCH_SECONDS: '6' },
  });
}, patienceMs);
afterAll(async () => {
  socket?.terminate();
  await system?.stop();
}, patienceMs);

it(
  'a newcomer sees a win on the feed, and can verify it with the command line',
  async () => {
    const token = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
    socket = new TestSocket(`${system.baseUrl.replace('http', 'ws')}/events/service?token=${token}`);
    await socket.opened;
    socket.subscribe();
    const wins = () => socket?.of('WinEvent') ?? [];
    await until(() => wins().length > 0, patienceMs);
    const { instance_id: instance, timestamp: wonMs } = wins()[0];

    const verify = async (epoch: number) => {
      const program = resolve(repository, 'bin/potstream');
      const choice = ['--instance', instance, '--epoch', String(epoch), '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, [
        program,
        'verify',
        system.baseUrl,
        ...choice,
      ]);
      return JSON.parse(stdout) as {
        readonly verified: boolean;
        readonly epochs: readonly { readonly wins: readonly { readonly timestampMs: number }[] }[];
      };
    };
    const epoch = await epochOf(instance, wonMs);
    const report = await verify(epoch);
    expect(report.verified).toBe(true);
    expect(report.epochs[0]?.wins.map(({ timestampMs }) => timestampMs)).toContain(wonMs);
  },
  patienceMs,
);

it('the demo of `up` has short epochs', async () => {
  const epochs = (await call('GET', `/v1/fairness/instances/${await firstInstance()}/epochs`)) as Epoch[];
  expect(epochs.filter(({ state }) => state === 'revealed').length).toBeGreaterThan(0);
});

it('the metrics and the terminal name the engine', async () => {
  const metrics = async () => (await fetch(`${system.credentials.ops_url}/metrics`)).text();
  // They lack a role that is too busy to answer at once.
  await expect
    .poll(metrics, { timeout: 60_000, interval: 500 })
    .toMatch(/potstream_fanout_engine_info\{[^}]*engine="ws"[^}]*\} 1/);
});

interface Epoch {
  readonly epoch: number;
  readonly state: string;
  readonly published: boolean;
}

/** Waits until the epoch of that moment is published. It is one of the newest: all of them again and again would be too many requests. */
async function epochOf(instance: string, wonMs: number): Promise<number> {
  for (const endsAt = performance.now() + patienceMs; performance.now() < endsAt; ) {
    const epochs = (await call('GET', `/v1/fairness/instances/${instance}/epochs?limit=500`)) as Epoch[];
    for (const { epoch } of epochs.filter(({ published }) => published).slice(-newest)) {
      const document = (await call('GET', `/v1/fairness/instances/${instance}/epochs/${epoch}`)) as {
        readonly groups: readonly { readonly records: readonly { readonly t: number }[] }[] | null;
      };
      if (document.groups?.some(({ records }) => records[0]?.t === wonMs) === true) return epoch;
    }
    await new Promise((done) => setTimeout(done, 1_000));
  }
  throw new Error('The epoch of the win was not published.');
}

async function firstInstance(): Promise<string> {
  const session = (await call('GET', '/demo/session')) as { jackpots: { instance_id: string }[] };
  return session.jackpots[0]?.instance_id ?? '';
}

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${system.baseUrl}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { drainCommand, moveCommand } from '../../src/cli/placement/run.ts';
import { listShards, type Shard } from '../../src/cli/placement/shards.ts';
import { withLaneSystem } from '../../src/cli/system/lane-system.ts';
import { readNatsAccess, withNatsAccess } from '../../src/cli/system/nats-access.ts';
import { readSettings, type Settings } from '../../src/config/settings.ts';
import { runOwnCommand } from '../../src/runtime/own-command.ts';
import { readRunRecord } from '../../src/runtime/run-record.ts';
import { potstream } from '../cli/support/command.ts';
import { scaled } from '../jackpot/checks/scale.ts';
import { CountedTraffic, type Sent } from '../support/counted-traffic.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

/** How often each is done; `npm run checks -- test/e2e/hosts` prints the gaps without answers. */
const repetitions = scaled(1, 20);
const patience = { timeout: 90_000, interval: 100 };
const trafficMs = 700;
const clean = { surplus: 0, changedRepeats: 0, conservation: '0', statuses: [200] };
let system: RunningSystem;
let counted: CountedTraffic;
let settings: Settings;
const gaps = new Map<string, number[]>();

beforeAll(async () => {
  system = await startSystem({
    args: ['--no-traffic', '--hosts', '2'],
    // A case stops a host: the standby takes over, and nobody replaces it meanwhile.
    environment: { POTSTREAM_LANES: '1', POTSTREAM_HUNG_AFTER_SECONDS: '120' },
  });
  settings = readSettings({ POTSTREAM_DATA: system.dataDirectory });
  counted = await CountedTraffic.open(system);
});
afterAll(async () => {
  for (const [what, all] of gaps) console.log(gapLine(what, all));
  await system?.stop();
});

it('moves a lane and drains its host under traffic: no request fails', async () => {
  for (let n = 0; n < repetitions; n += 1) {
    const { owner, standby } = await warmShard();
    await underTraffic(
      `move-${n}`,
      (sent) => everyFirstTry(sent),
      async () => {
        expect(await moveCommand(settings, 0, standby, 'less load', quiet)).toBe(0);
      },
    );
    expect((await warmShard()).owner).toBe(standby);
    await underTraffic(
      `drain-${n}`,
      (sent) => everyFirstTry(sent),
      async () => {
        expect(await drainCommand(settings, standby, { undo: false, reason: null }, quiet)).toBe(0);
      },
    );
    expect((await shard()).owner).toBe(owner);
    expect(await drainCommand(settings, standby, { undo: true, reason: null }, quiet)).toBe(0);
    expect(await moveCommand(settings, 0, null, null, quiet)).toBe(0);
  }
});

it('has each order to a host or a lane in the audit trail', async () => {
  const environment = { POTSTREAM_DATA: system.dataDirectory };
  const list = await potstream(['audit', 'list', '--limit', '100', '--json'], environment);
  const orders = list.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ operation }) => /^(host|lane)\./.test(operation));
  const { standby, owner } = await warmShard();
  const names = orders.map(({ operation }) => operation);
  // The newest first.
  expect(names.slice(0, 4)).toEqual(['lane.move', 'host.undrain', 'host.drain', 'lane.move']);
  expect(orders[3]).toMatchObject({
    path: 'lane 0',
    reason: 'less load',
    outcome: 'applied',
    changes: [{ object: 'lane 0', before: null }],
  });
  expect([standby, owner]).toContain(orders[3].changes[0].after);
  expect(orders[0].changes).toEqual([{ object: 'lane 0', before: orders[3].changes[0].after, after: null }]);
  expect(orders[1].changes[0]).toMatchObject({ before: 'drained', after: null });
  expect(await potstream(['audit', 'verify'], environment)).toMatchObject({ code: 0 });
});

it('audits the lanes of a running system, and shows an instance as it was', async () => {
  const environment = { POTSTREAM_DATA: system.dataDirectory };
  const audited = await potstream(['audit', '--json'], environment);
  expect(audited, audited.stderr).toMatchObject({ code: 0 });
  const { verified, lanes } = JSON.parse(audited.stdout);
  expect(verified).toBe(true);
  expect(lanes).toHaveLength(1);
  expect(lanes[0]).toMatchObject({ lane: 0, from: 1, complete: true, findings: [], messages: lanes[0].to });
  // As an actor host does each night, with its own user.
  const access = readNatsAccess(join(system.dataDirectory, 'run'))!;
  const nightly = await runOwnCommand(
    ['audit', '--as', 'actors', '--lane', '0', '--minutes', '5', '--json'],
    withNatsAccess(settings, access, 'actors'),
    { timeoutMs: patience.timeout, signal: new AbortController().signal },
  );
  expect(JSON.parse(nightly).lanes[0]).toMatchObject({ verified: true, complete: true });
  const replay = await potstream(
    ['replay', counted.instance, '--at', new Date().toISOString(), '--json'],
    environment,
  );
  expect(replay, replay.stderr).toMatchObject({ code: 0 });
  const { at, now, lane, differences } = JSON.parse(replay.stdout);
  expect({ lane, differences }).toEqual({ lane: 0, differences: [] });
  expect(now).toEqual(at);
  expect(at.total_contributions).toBe(await counted.total());
  const earlier = await potstream(['replay', counted.instance, '--at', '1'], environment);
  expect(earlier.stdout).toMatch(/total_contributions +\d+ +\d+ \(\+\d+\)/);
  expect(await potstream(['replay', counted.instance, '--at', '99999999'], environment)).toMatchObject({
    code: 3,
  });
});

it('kill -9 of the owner: the lane serves again, and every acknowledged contribution is there once', async () => {
  for (let n = 0; n < repetitions; n += 1) {
    const { owner, standby, term } = await warmShard();
    await underTraffic(
      `kill-${n}`,
      () => {},
      async () => {
        process.kill(pidOf(owner), 'SIGKILL');
        // Where the killed host is back within the second, it may claim before its standby does.
        await vi.waitUntil(async () => ((await shard()).term ?? 0) > term, patience);
        expect([owner, standby]).toContain((await shard()).owner);
      },
    );
    await system.ready();
  }
});

it('SIGSTOP of the owner: the standby takes over, and the old owner follows it after SIGCONT', async () => {
  const { owner, standby } = await warmShard();
  const pid = pidOf(owner);
  await underTraffic(
    'stop',
    () => {},
    async () => {
      process.kill(pid, 'SIGSTOP');
      try {
        await vi.waitUntil(async () => (await shard()).owner === standby, patience);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await vi.waitUntil(async () => (await shard()).standby === owner, patience);
    },
  );
  expect(pidOf(owner)).toBe(pid);
});

const quiet = { write: () => {}, print: () => {} };

async function shard(): Promise<Shard> {
  const [first] = await withLaneSystem(settings, listShards);
  return first as Shard;
}

/** Once the lane has an owner and a warm standby. */
async function warmShard(): Promise<{ owner: string; standby: string; term: number }> {
  let found: Shard = await shard();
  await vi.waitUntil(async () => {
    found = await shard();
    return found.owner !== null && found.standby_warm;
  }, patience);
  return { owner: found.owner as string, standby: found.standby as string, term: found.term as number };
}

/** `up` names its second host as its first with -2. */
function pidOf(host: string): number {
  const name = host.endsWith('-2') ? 'actors-2' : 'actors';
  const children = readRunRecord(join(system.dataDirectory, 'run'))?.children ?? [];
  return (children.find((child) => child.name === name) as (typeof children)[0]).process.pid;
}

function everyFirstTry(sent: readonly Sent[]): void {
  expect(sent.filter(({ tries }) => tries > 1)).toEqual([]);
}

/** Contributions before, while and after something is done; the longest time without an answer is the gap. */
async function underTraffic(
  name: string,
  check: (sent: readonly Sent[]) => void,
  work: () => Promise<void>,
): Promise<void> {
  const before = await counted.total();
  const traffic = counted.start(name);
  await pause(trafficMs);
  await work();
  await pause(trafficMs);
  await vi.waitUntil(() => traffic.answered() > 6, patience);
  const sent = await traffic.stop();
  expect(await counted.books(sent, before)).toEqual({ ...clean, distinctIds: sent.length });
  check(sent);
  const times = sent.map(({ atMs }) => atMs).sort((a, b) => a - b);
  const [what = name] = name.split('-');
  const gap = Math.max(...times.slice(1).map((atMs, index) => atMs - times[index]!));
  gaps.set(what, [...(gaps.get(what) ?? []), gap]);
  if (repetitions > 1) console.log(`${name}: ${gap.toFixed(0)} ms`);
}

function gapLine(what: string, all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `gap without answers, ${what}: median ${median.toFixed(0)} ms, worst ${sorted.at(-1)?.toFixed(0)} ms of ${all.length}`;
}

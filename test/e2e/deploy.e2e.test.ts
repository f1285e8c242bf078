import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createHashing } from '../../src/actors/epochs/keys/hashing.ts';
import { readKeyRing } from '../../src/actors/epochs/keys/key-ring.ts';
import { firstLaneHead, Replica } from '../../src/actors/replica/replica.ts';
import { moveCommand } from '../../src/cli/placement/run.ts';
import { listShards, type Shard } from '../../src/cli/placement/shards.ts';
import { readUpgrade, type UpgradeReport, upgradeCommand } from '../../src/cli/placement/upgrade.ts';
import { withLaneSystem } from '../../src/cli/system/lane-system.ts';
import { readNatsAccess, withNatsAccess } from '../../src/cli/system/nats-access.ts';
import { readSettings, type Settings } from '../../src/config/settings.ts';
import { createLane } from '../../src/jackpot/lane/lane.ts';
import { engineVersions } from '../../src/jackpot/lane/versions/versions.ts';
import { connectReader } from '../../src/log/jetstream/connect.ts';
import { decodeCommandBatch } from '../../src/messages/codec/codec.ts';
import { dataPaths } from '../../src/runtime/data-directory.ts';
import { readRunRecord } from '../../src/runtime/run-record.ts';
import { logSettings } from '../../src/wiring.ts';
import { newestEngine } from '../jackpot/support/new-lane.ts';
import { CountedTraffic, type Sent } from '../support/counted-traffic.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { withNextVersion } from '../support/next-engine.mjs';
import { type RunningSystem, startSystem } from '../support/system.ts';

/** One system for all cases, in their order: two releases, two actor hosts, two lanes. */
const lanes = [0, 1];
/** The engine versions of the lanes, once they have those of this release. */
const ofThis = lanes.map(() => newestEngine);
const patience = { timeout: 90_000, interval: 100 };
const trafficMs = 500;
const books = { surplus: 0, changedRepeats: 0, conservation: '0', statuses: [200] };
const quiet = { write: () => {}, print: () => {} };
let installation: Installation;
let system: RunningSystem;
let settings: Settings;
let counted: CountedTraffic;

beforeAll(async () => {
  installation = createInstallation();
  system = await startSystem({
    program: installation.program,
    args: ['--no-traffic', '--hosts', '2'],
    environment: { POTSTREAM_LANES: String(lanes.length) },
  });
  settings = readSettings({ POTSTREAM_DATA: system.dataDirectory });
  counted = await CountedTraffic.open(system);
});
afterAll(async () => {
  await system?.stop();
  installation?.remove();
});

it('SIGTERM of each host in turn, in traffic: ordered hand-over, no request fails', async () => {
  await underTraffic('restart', async () => {
    for (const host of await hosts()) await restart(host);
  });
});

it('a rolling deploy in traffic: no request fails, and the lanes wait for the last old host and for the end of a pause', async () => {
  const [first, second] = await hosts();
  installation.install('next');
  await underTraffic('deploy', async () => {
    await restart(first);
    expect(await report()).toMatchObject({ lanes: ofThis, waits_for: [second], max_version: null });
    expect(await upgrade('pause')).toBe(0);
    await restart(second);
    await pause(trafficMs);
    const paused = { waits_for: [], max_version: newestEngine, target: newestEngine };
    expect(await report()).toMatchObject({ lanes: ofThis, ...paused });
    expect(await upgrade(null)).toBe(1);
    expect(await upgrade('resume')).toBe(0);
    await vi.waitUntil(
      async () => (await report()).lanes.every((version) => version === newestEngine + 1),
      patience,
    );
  });
  expect(await upgrade(null)).toBe(0);
  expect((await shards()).map(({ engine_version }) => engine_version)).toEqual(
    ofThis.map((version) => version + 1),
  );
});

it('a host with the old release takes no lane and says why, in traffic; with the new one it is a standby again', async () => {
  const [host, other] = await hosts();
  await underTraffic('roll-back', async () => {
    installation.install('this');
    await replaced(host);
    await vi.waitUntil(() => logOf(host).includes('engine_version_unsupported'), patience);
    // A host starts faster than a standby that was not warm takes over.
    await vi.waitUntil(async () => (await shards()).every(({ owner }) => owner === other), patience);
    await expect.poll(async () => (await report()).waits_for, patience).toEqual([host]);
    installation.install('next');
    await restart(host);
  });
});

it('has one history: any replay gives the records that both hosts stored, before the upgrades and behind them', async () => {
  // Every lane has an owner of its own from here on, and then the other one.
  for (const turn of lanes) {
    const [first, second] = await hosts();
    const owners = turn === 0 ? [first, second] : [second, first];
    for (const lane of lanes) expect(await moveCommand(settings, lane, owners[lane]!, null, quiet)).toBe(0);
    await underTraffic(`turn-${turn}`, async () => {});
  }
  const { drawKeysDirectory, dataDirectory } = settings;
  const hashing = createHashing(readKeyRing(drawKeysDirectory)!);
  const versions = withNextVersion(engineVersions);
  const access = readNatsAccess(dataPaths(dataDirectory).run)!;
  const log = await connectReader(logSettings(withNatsAccess(settings, access, 'actors'), 'actors'));
  let withBonus = 0;
  try {
    for (const lane of lanes) {
      const engine = createLane(hashing, { epochMs: 1, epochSequences: 1 }, versions);
      const replica = new Replica(lane, engine, hashing, firstLaneHead);
      const upgrades: number[] = [];
      const created: number[] = [];
      const bonuses: bigint[] = [];
      const last = await log.lastOutcome(lane);
      for (let sequence = 1; sequence <= last; sequence += 1) {
        const stored = (await log.readCommand(lane, sequence))!;
        const record = await log.readOutcome(lane, sequence);
        const applied = replica.apply(stored);
        expect(Buffer.compare(record!.bytes, applied.record), `${lane}/${sequence}`).toBe(0);
        for (const outcome of applied.outcome.outcomes)
          if (outcome.kind === 'Contributed') bonuses.push(...outcome.results.map((each) => each.bonusAtoms));
        const { commands } = decodeCommandBatch(stored.bytes);
        if (commands.some(({ kind }) => kind === 'UpgradeTo')) upgrades.push(sequence);
        if (commands.some(({ kind }) => kind === 'CreateInstance')) created.push(sequence);
      }
      // To the versions of this release before anything was in the lane, and to the next release's version behind the deploy.
      expect(upgrades).toHaveLength(newestEngine);
      for (const ofThisRelease of upgrades.slice(0, -1))
        expect(ofThisRelease).toBeLessThan(created[0] ?? last);
      expect(upgrades.at(-1)).toBeLessThan(last);
      // The demo's contributions are in one of the lanes: without the bonus of the next version, then with it.
      if (bonuses.length === 0) continue;
      const first = bonuses.indexOf(1n);
      expect(first).toBeGreaterThan(10);
      expect(bonuses.slice(first).length).toBeGreaterThan(10);
      expect(new Set(bonuses.slice(0, first))).toEqual(new Set([0n]));
      expect(new Set(bonuses.slice(first))).toEqual(new Set([1n]));
      withBonus += 1;
    }
    expect(withBonus).toBe(1);
  } finally {
    await log.close();
  }
});

/** Contributions before, while and after something is done: each is answered at its first try, and counted once. */
async function underTraffic(name: string, work: () => Promise<void>): Promise<void> {
  const before = await counted.total();
  const traffic = counted.start(name);
  await pause(trafficMs);
  let sent: readonly Sent[] = [];
  try {
    await work();
    await pause(trafficMs);
    await vi.waitUntil(() => traffic.answered() > 20, patience);
  } finally {
    sent = await traffic.stop();
  }
  expect(await counted.books(sent, before)).toEqual({ ...books, distinctIds: sent.length });
  expect(sent.filter(({ tries }) => tries > 1)).toEqual([]);
}

/** SIGTERM of a host, until `up` has started it again and it has every lane warm. */
async function restart(host: string): Promise<void> {
  await replaced(host);
  await vi.waitUntil(async () => {
    const all = await shards();
    return all.every((each) => each.owner !== null && each.standby !== null && each.standby_warm);
  }, patience);
}

/** SIGTERM of a host, until there is another process of it. */
async function replaced(host: string): Promise<void> {
  const pid = pidOf(host);
  process.kill(pid as number, 'SIGTERM');
  await vi.waitUntil(() => ![pid, null].includes(pidOf(host)), patience);
}

function shards(): Promise<Shard[]> {
  return withLaneSystem(settings, listShards);
}

function upgrade(order: 'pause' | 'resume' | null): Promise<number> {
  return upgradeCommand(settings, { order, reason: null, json: true }, quiet);
}

function report(): Promise<UpgradeReport> {
  return withLaneSystem(settings, readUpgrade);
}

/** Both hosts, by their ids; `up` names its second one as its first with -2. */
async function hosts(): Promise<readonly [string, string]> {
  let found: string[] = [];
  await vi.waitUntil(async () => {
    found = (await report()).hosts.map(({ host }) => host).sort();
    return found.length === 2;
  }, patience);
  return found as [string, string];
}

function nameOf(host: string): string {
  return host.endsWith('-2') ? 'actors-2' : 'actors';
}

/** null: there is no process of it just now. */
function pidOf(host: string): number | null {
  const children = readRunRecord(join(system.dataDirectory, 'run'))?.children ?? [];
  return children.find(({ name }) => name === nameOf(host))?.process.pid ?? null;
}

/** What a host has logged so far. */
function logOf(host: string): string {
  return readFileSync(join(system.dataDirectory, 'logs', `${nameOf(host)}.log`), 'utf8');
}

import { linkSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fnv1a32 } from '../../src/lib/hashes.ts';
import { connectLog } from '../../src/log/jetstream/connect.ts';
import type { Log } from '../../src/ports.ts';
import { systemRandom } from '../../src/wiring.ts';
import { type BenchJackpot, makeJackpot } from '../lib/jackpot.ts';
import {
  access,
  bytesOf,
  commandsPerBatch,
  contributionOf,
  publishContributions,
} from '../lib/large-lane.ts';
import { runFollower } from '../lib/load-process.ts';
import { processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { type RunningSystem, startSystem } from '../lib/system.ts';

const rounds = Number(process.env.RECOVERY_ROUNDS ?? 3);
const keys = Number(process.env.RECOVERY_KEYS ?? 3_000_000);
const players = Number(process.env.RECOVERY_PLAYERS ?? 1_000_000);
const behind = Number(process.env.RECOVERY_BEHIND ?? 1_000_000);
/** The load under which the host is killed, and for how long before: several snapshots. */
const loadPerSecond = Number(process.env.RECOVERY_LOAD ?? 80_000);
const loadSeconds = 30;
const inFlight = 8;
/** As many as an embedded system has. */
const lanes = 4;
const probeEveryMs = 10;
const withinMs = 120_000;
const mustGapSeconds = 4;
const mustPerSecond = 300_000;
const mustRatio = 0.4;

/** How one recovery went. */
interface Recovery {
  /** From the kill until a contribution to the lane is answered. */
  readonly gapSeconds: number;
  readonly start: Readonly<Record<string, number>>;
  readonly phases: Readonly<Record<string, number>>;
  readonly commands: number;
}

/**
 * kill -9 of the actor host of a large lane without a standby: from its snapshot alone, then with many
 * contributions behind it.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem({ POTSTREAM_LOG_LEVEL: 'info' });
  try {
    const jackpot = await makeJackpot(system);
    const lane = fnv1a32('bench') % lanes;
    const [log, producer] = await Promise.all([
      connectLog(access(system, 'actors')),
      connectLog(access(system, 'gateway')),
    ]);
    const publish = (from: number, count: number): Promise<number> =>
      publishContributions({ log, producer }, lane, { jackpot, players }, from, count);
    try {
      const made = await publish(0, keys);
      const fromSnapshot: Recovery[] = [];
      await drainedIntoSnapshot(system, lane, jackpot);
      for (let round = 0; round < rounds; round += 1)
        fromSnapshot.push(await killed(system, lane, jackpot, 'newest'));
      const underLoad: Recovery[] = [];
      let from = made + behind;
      for (let round = 0; round < rounds; round += 1) {
        const killing = (): Promise<Recovery> => killed(system, lane, jackpot, 'newest', 0);
        const load = await underConstantLoad(producer, lane, jackpot, from, killing);
        from = load.next;
        underLoad.push(load.recovery);
      }
      await drainedIntoSnapshot(system, lane, jackpot);
      const snapshotSequence = keepNewestSnapshot(system, lane);
      const reach = { access: access(system, 'actors'), lane };
      await publish(made, behind);
      const replayed: Recovery[] = [];
      const followed: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        followed.push(await runFollower({ ...reach, fromSequence: snapshotSequence + 1 }));
        replayed.push(await killed(system, lane, jackpot, 'kept'));
      }
      return rowOf(fromSnapshot, replayed, underLoad, followed);
    } finally {
      await Promise.all([log.close(), producer.close()]);
    }
  } finally {
    await system.stop();
  }
}

function rowOf(
  fromSnapshot: readonly Recovery[],
  replayed: readonly Recovery[],
  underLoad: readonly Recovery[],
  followed: readonly number[],
): Row {
  const rates = replayed.map(({ commands, phases }) => commands / (phases.replay ?? Number.NaN));
  const rate = spread(rates);
  const ratio = spread(rates.map((value, at) => value / (followed[at] ?? 1)));
  return {
    name: 'recovery',
    title: 'Recovery of a large lane without a standby, kill -9 of the actor host',
    figures: [
      gapFigure('lane answers again, from its snapshot', fromSnapshot, true),
      {
        name: 'commands replayed a second',
        unit: '/s',
        ours: rate,
        yardstick: {
          name: 'the same messages followed and decoded, in a process as new',
          value: spread(followed),
        },
        ratio,
        must: '300,000/s and 0.4',
        aim: '0.7',
        reached: rate.median >= mustPerSecond && ratio.median >= mustRatio,
      },
      gapFigure(`the same with ${behind.toLocaleString('en-US')} contributions behind it`, replayed, false),
      gapFigure(
        `killed under ${loadPerSecond.toLocaleString('en-US')} contributions a second`,
        underLoad,
        true,
      ),
    ],
    notes: [
      `${keys.toLocaleString('en-US')} keys and ${players.toLocaleString('en-US')} players in the lane, ${commandsPerBatch} contributions a message; kill to the first answered contribution, asked for every ${probeEveryMs} ms over HTTP`,
      `from its snapshot, median of each phase: ${phasesOf(fromSnapshot)}`,
      `with contributions behind it: ${phasesOf(replayed)}`,
      `under load for ${loadSeconds} s, until the kill, of contributions without keys: ${phasesOf(underLoad)}; contributions behind the snapshot ${underLoad.map(({ commands }) => commands.toLocaleString('en-US')).join(', ')}`,
    ],
    processors: [],
  };
}

function gapFigure(name: string, recoveries: readonly Recovery[], isGate: boolean): Figure {
  const gap = spread(recoveries.map(({ gapSeconds }) => gapSeconds));
  return {
    name,
    unit: 's',
    ours: gap,
    yardstick: null,
    ratio: null,
    must: isGate ? `${mustGapSeconds} s` : '–',
    aim: isGate ? '2 s' : '–',
    reached: !isGate || gap.median <= mustGapSeconds,
  };
}

/** Seconds of the life of the process up to each mark, then those of the phases of the lane. */
function phasesOf(recoveries: readonly Recovery[]): string {
  const median = (read: (recovery: Recovery) => number): number => spread(recoveries.map(read)).median;
  const names = (read: (recovery: Recovery) => object): string[] => Object.keys(read(recoveries[0]!));
  const marks = names(({ start }) => start).map(
    (name) => `${name} ${median(({ start }) => start[name] ?? Number.NaN).toFixed(0)}`,
  );
  const phases = names((each) => each.phases).map(
    (name) => `${name} ${median((each) => each.phases[name] ?? Number.NaN).toFixed(3)} s`,
  );
  return `${marks.join(', ')}; lane: ${phases.join(', ')}`;
}

/** SIGTERM drains the role into a snapshot; the supervisor starts it again. */
async function drainedIntoSnapshot(
  system: RunningSystem,
  lane: number,
  jackpot: BenchJackpot,
): Promise<void> {
  await answered(system, jackpot);
  const began = Date.now();
  process.kill(pidOf(system), 'SIGTERM');
  await reported(system, lane, began);
  await answered(system, jackpot);
}

/** Snapshots behind the kept one are removed while the supervisor is stopped: the replay begins there. */
async function killed(
  system: RunningSystem,
  lane: number,
  jackpot: BenchJackpot,
  from: 'newest' | 'kept',
  calmMs = 2_500,
): Promise<Recovery> {
  await answered(system, jackpot);
  await pause(calmMs);
  process.kill(system.pid, 'SIGSTOP');
  process.kill(pidOf(system), 'SIGKILL');
  if (from === 'kept') removeSnapshots(system, lane);
  const began = Date.now();
  process.kill(system.pid, 'SIGCONT');
  await pause(50);
  await answered(system, jackpot);
  const gapSeconds = (Date.now() - began) / 1000;
  return { gapSeconds, ...(await reported(system, lane, began)) };
}

/** A contribution is answered with 200: asked for again and again, whatever became of those before it. */
async function answered(system: RunningSystem, { instance, brand, token }: BenchJackpot): Promise<void> {
  const deadline = performance.now() + withinMs;
  const url = `http://${system.host}:${system.port}/v1/jackpot/instances/${instance}/contributions`;
  let done = false;
  const ask = async (): Promise<void> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        token: 'session',
        brand_id: brand,
        player_id: 'prober',
        player_country: 'DE',
        base_wager: '1.00',
        currency: 'EUR',
        idempotency_key: Buffer.from(systemRandom.bytes(12)).toString('hex'),
      }),
    }).catch(() => null);
    if (answer?.status === 200) done = true;
    await answer?.arrayBuffer().catch(() => null);
  };
  while (!done) {
    if (performance.now() > deadline) throw new Error('no contribution was answered in time');
    ask().catch(() => {});
    await pause(probeEveryMs);
  }
}

/** What the new process of the role says of its start and of the lane. */
async function reported(
  system: RunningSystem,
  lane: number,
  sinceMs: number,
): Promise<Pick<Recovery, 'start' | 'phases' | 'commands'>> {
  const deadline = performance.now() + withinMs;
  const path = join(system.dataDirectory, 'logs', 'actors.log');
  for (;;) {
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"recovery"') || line.includes('"start"'))
      .map((line) => JSON.parse(line))
      .filter(({ time }) => Date.parse(time) >= sinceMs);
    const recovery = lines.find((line) => line.recovery !== undefined && line.lane === lane)?.recovery;
    const start = lines.find((line) => line.start !== undefined)?.start;
    if (recovery !== undefined && start !== undefined) {
      const { startedAtMs, ...marks } = start;
      const sinceKill = { spawnedMs: startedAtMs - sinceMs };
      return { start: { ...sinceKill, ...marks }, phases: recovery.seconds, commands: recovery.commands };
    }
    if (performance.now() > deadline) throw new Error('the role did not report its recovery');
    await pause(50);
  }
}

/**
 * Contributions at a constant rate, until the host is killed: then gateways would refuse them. They have no
 * keys, or the table of keys would grow from round to round.
 */
async function underConstantLoad(
  producer: Log,
  lane: number,
  jackpot: BenchJackpot,
  from: number,
  killing: () => Promise<Recovery>,
): Promise<{ readonly recovery: Recovery; readonly next: number }> {
  const began = performance.now();
  let next = from;
  let isOver = false;
  const allowed = (): number => from + ((performance.now() - began) / 1000) * loadPerSecond;
  const producing = Array.from({ length: inFlight }, async () => {
    while (!isOver) {
      if (next >= allowed()) {
        await pause(1);
        continue;
      }
      const first = next;
      next += commandsPerBatch;
      const commands = Array.from({ length: commandsPerBatch }, (_, at) => ({
        ...contributionOf({ jackpot, players }, first + at),
        idempotencyKey: null,
      }));
      const id = Buffer.from(systemRandom.bytes(16)).toString('hex');
      await producer.append(lane, 'batch', bytesOf(commands), { messageId: id });
    }
  });
  await pause(1000 * loadSeconds);
  const recovering = killing();
  isOver = true;
  await Promise.all(producing);
  return { recovery: await recovering, next };
}

function pidOf(system: RunningSystem): number {
  const found = processTree(system.pid).find(({ name }) => name === 'potstream actors');
  if (found === undefined) throw new Error('the role actors does not run');
  return found.pid;
}

function snapshotsOf(system: RunningSystem, lane: number): string[] {
  return readdirSync(pathOf(system, lane, ''))
    .filter((name) => name.endsWith('.snapshot'))
    .sort();
}

/** The sequence of the newest snapshot, which is kept beside those that the lane removes itself. */
function keepNewestSnapshot(system: RunningSystem, lane: number): number {
  const newest = snapshotsOf(system, lane).at(-1);
  if (newest === undefined) throw new Error('the lane has no snapshot');
  linkSync(pathOf(system, lane, newest), pathOf(system, lane, `${newest}.kept`));
  return Number(newest.split('-')[0]);
}

/** Only the snapshot that was kept remains. */
function removeSnapshots(system: RunningSystem, lane: number): void {
  for (const name of snapshotsOf(system, lane)) rmSync(pathOf(system, lane, name));
  const kept = readdirSync(pathOf(system, lane, '')).find((name) => name.endsWith('.kept'));
  if (kept === undefined) throw new Error('no snapshot was kept');
  linkSync(pathOf(system, lane, kept), pathOf(system, lane, kept.replace('.kept', '')));
}

function pathOf(system: RunningSystem, lane: number, name: string): string {
  return join(system.dataDirectory, 'snapshots', String(lane), name);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

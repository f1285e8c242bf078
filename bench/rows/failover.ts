import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { drainCommand, moveCommand } from '../../src/cli/placement/run.ts';
import { listShards, type Shard } from '../../src/cli/placement/shards.ts';
import { withLaneSystem } from '../../src/cli/system/lane-system.ts';
import { readSettings, type Settings } from '../../src/config/settings.ts';
import { fnv1a32 } from '../../src/lib/hashes.ts';
import { connectLog } from '../../src/log/jetstream/connect.ts';
import { readRunRecord } from '../../src/runtime/run-record.ts';
import { type Outcome, whileRequested } from '../lib/counted-requests.ts';
import { type BenchJackpot, makeJackpot } from '../lib/jackpot.ts';
import { access, publishContributions, until } from '../lib/large-lane.ts';
import type { Figure, Row } from '../lib/report.ts';
import { type Spread, spread } from '../lib/statistics.ts';
import { type RunningSystem, startSystem } from '../lib/system.ts';

const repetitions = Number(process.env.FAILOVER_REPETITIONS ?? 20);
const keys = Number(process.env.FAILOVER_KEYS ?? 3_000_000);
const players = Number(process.env.FAILOVER_PLAYERS ?? 1_000_000);
const lanes = 1;
const calmMs = 500;
/** Longer than a host's record counts without being renewed. */
const leaseMs = 4_000;
/** About as long as a move takes until its command returns. */
const restMs = 500;

interface Fault {
  readonly name: string;
  readonly mustMedianMs: number;
  readonly mustWorstMs: number;
  readonly aimMs: number;
  /** No request may be repeated. */
  readonly isPlanned: boolean;
}

const faults = {
  move: { name: 'lane moved by command', mustMedianMs: 100, mustWorstMs: 100, aimMs: 20, isPlanned: true },
  drain: { name: 'host drained by command', mustMedianMs: 100, mustWorstMs: 100, aimMs: 20, isPlanned: true },
  kill: {
    name: 'actor host killed (-9), warm standby',
    mustMedianMs: 1_000,
    mustWorstMs: 2_000,
    aimMs: 400,
    isPlanned: false,
  },
} as const satisfies Record<string, Fault>;

/** `rest`: as long as a move takes, nothing happens. */
type Outcomes = Readonly<Record<keyof typeof faults | 'rest', Outcome[]>>;

/** Two actor hosts with one large lane: gaps without answers while it changes its owner under requests. */
export async function measure(): Promise<Row> {
  const system = await startSystem({ POTSTREAM_LANES: String(lanes) }, ['--hosts', '2']);
  try {
    const jackpot = await makeJackpot(system);
    const [log, producer] = await Promise.all([
      connectLog(access(system, 'actors')),
      connectLog(access(system, 'gateway')),
    ]);
    await publishContributions({ log, producer }, fnv1a32('bench') % lanes, { jackpot, players }, 0, keys);
    await Promise.all([log.close(), producer.close()]);
    return rowOf(await outcomesOf(system, jackpot));
  } finally {
    await system.stop();
  }
}

async function outcomesOf(system: RunningSystem, jackpot: BenchJackpot): Promise<Outcomes> {
  const settings = readSettings({ POTSTREAM_DATA: system.dataDirectory });
  const outcomes: Outcomes = { rest: [], move: [], drain: [], kill: [] };
  const during = async (fault: keyof Outcomes, work: () => Promise<void>): Promise<void> => {
    const outcome = await whileRequested(system, jackpot, calmMs, work);
    outcomes[fault].push(outcome);
    const { gapMs, failedTries, surplus } = outcome;
    process.stderr.write(
      `${fault}: ${gapMs.toFixed(0)} ms, ${failedTries} failed tries, surplus ${surplus}\n`,
    );
  };
  for (let n = 0; n < repetitions; n += 1) {
    await during('rest', () => pause(restMs));
    const { standby } = await warmShard(settings);
    await during('move', async () => void (await moveCommand(settings, 0, standby, null, quiet)));
    const owner = (await warmShard(settings)).owner;
    await during(
      'drain',
      async () => void (await drainCommand(settings, owner, { undo: false, reason: null }, quiet)),
    );
    await drainCommand(settings, owner, { undo: true, reason: null }, quiet);
    await moveCommand(settings, 0, null, null, quiet);
  }
  for (let n = 0; n < repetitions; n += 1) {
    // The record of a host that was killed says until then that it is warm.
    await pause(leaseMs);
    await warmShard(settings);
    await during('kill', async () => {
      // A host that has been well for a while gets its lanes back. The standby's lag under requests is as old
      // as its last report.
      const { owner, term } = await warmShard(settings, Number.POSITIVE_INFINITY);
      process.kill(pidOf(system, owner), 'SIGKILL');
      await until(async () => ((await shard(settings)).term ?? 0) > term);
    });
  }
  return outcomes;
}

function rowOf(outcomes: Outcomes): Row {
  const all = Object.values(outcomes).flat();
  const lostOrDoubled = all.filter(({ surplus }) => surplus !== 0).length;
  const names = Object.keys(faults) as (keyof typeof faults)[];
  const rest = spread(outcomes.rest.map(({ gapMs }) => gapMs));
  return {
    name: 'failover',
    title: 'A large lane changes its owner under requests, two actor hosts',
    figures: [
      ...names.map((name) => gapFigure(faults[name], outcomes[name], rest)),
      {
        ...bare('runs with a lost or doubled contribution', '', [lostOrDoubled]),
        must: '0',
        reached: lostOrDoubled === 0,
      },
    ],
    notes: [
      `${keys.toLocaleString('en-US')} keys and ${players.toLocaleString('en-US')} players in the lane; the gap is the longest time between two answers, in ${repetitions} repetitions of each`,
      ...names.map((name) => `${faults[name].name}: ${triesOf(outcomes[name])}`),
    ],
    processors: [],
  };
}

function gapFigure(fault: Fault, outcomes: readonly Outcome[], rest: Spread): Figure {
  const gap = bare(
    `gap, ${fault.name}`,
    'ms',
    outcomes.map(({ gapMs }) => gapMs),
  );
  const isUnnoticed = !fault.isPlanned || outcomes.every(({ failedTries }) => failedTries === 0);
  const { median, max } = gap.ours;
  return {
    ...gap,
    yardstick: { name: 'the same requests while nothing happens', value: rest },
    must: `median ${fault.mustMedianMs}, worst ${fault.mustWorstMs}${fault.isPlanned ? ', no failed request' : ''}`,
    aim: String(fault.aimMs),
    reached: median <= fault.mustMedianMs && max <= fault.mustWorstMs && isUnnoticed,
  };
}

function bare(name: string, unit: string, values: readonly number[]): Figure {
  return {
    ...{ name, unit, ours: spread(values), yardstick: null, ratio: null },
    ...{ must: '–', aim: '–', reached: true },
  };
}

function triesOf(outcomes: readonly Outcome[]): string {
  const sum = (read: (outcome: Outcome) => number): string =>
    outcomes.reduce((total, outcome) => total + read(outcome), 0).toLocaleString('en-US');
  return `${sum(({ sent }) => sent)} contributions, ${sum(({ failedTries }) => failedTries)} tries failed and were repeated`;
}

const quiet = { write: () => {}, print: () => {} };

async function shard(settings: Settings): Promise<Shard> {
  const [first] = await withLaneSystem(settings, listShards);
  return first as Shard;
}

/** Waits until the lane has an owner, and a warm standby at most this many messages behind it. */
async function warmShard(
  settings: Settings,
  maxLag = 0,
): Promise<{ owner: string; standby: string; term: number }> {
  let found = await shard(settings);
  await until(async () => {
    found = await shard(settings);
    return found.owner !== null && found.standby_warm && (found.standby_lag ?? 1) <= maxLag;
  });
  return { owner: found.owner as string, standby: found.standby as string, term: found.term ?? 0 };
}

/** `up` names its second host as its first with -2. */
function pidOf(system: RunningSystem, host: string): number {
  const name = host.endsWith('-2') ? 'actors-2' : 'actors';
  const children = readRunRecord(join(system.dataDirectory, 'run'))?.children ?? [];
  const found = children.find((child) => child.name === name);
  if (found === undefined) throw new Error(`${name} does not run`);
  return found.process.pid;
}

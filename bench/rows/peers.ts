import { CoresByName, usesBelow } from '../lib/cores-by-name.ts';
import { makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import { players, requestsTo } from '../lib/peer-plans.ts';
import { type RunningPeer, startPeer } from '../lib/peers.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';

const roundsPerRun = Number(process.env.PEERS_ROUNDS ?? 5);
const connectionCounts = [16, 64, 256] as const;
const durationMs = 5_000;
const warmupMs = 1_500;
const alone = 1;

type Name = 'potstream' | 'postgres-batches' | 'redis-script' | 'postgres-transactions';

interface Yardstick {
  readonly name: Name;
  readonly title: string;
  readonly must: Readonly<Record<number, number>>;
  readonly aim: Readonly<Record<number, number>>;
}

const yardsticks: readonly Yardstick[] = [
  {
    name: 'postgres-batches',
    title: 'batching layer over Postgres',
    must: { 16: 1.3, 64: 1.3, 256: 1.5 },
    aim: { 16: 2, 64: 2, 256: 2 },
  },
  {
    name: 'redis-script',
    title: 'Redis script, appendfsync always',
    must: { 16: 0.8, 64: 1.3, 256: 2 },
    aim: { 16: 1.2, 64: 2, 256: 3 },
  },
];
const mustTimeRatio = 1;
const aimTimeRatio = 0.7;

/**
 * O8 beside what users would build instead: a batching layer over Postgres, a Redis script, a Postgres
 * transaction each.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem();
  const peers: RunningPeer[] = [];
  try {
    const jackpot = await makeJackpot(system);
    const start = async (kind: Exclude<Name, 'potstream'>): Promise<RunningPeer> => {
      const peer = await startPeer(kind, jackpot.token);
      peers.push(peer);
      return peer;
    };
    const batches = await start('postgres-batches');
    const script = await start('redis-script');
    const transactions = await start('postgres-transactions');
    const plan = { ...requestsTo(system.host, jackpot), durationMs, warmupMs, rate: 0 };
    const measured = new Measured(plan, () => usesBelow(system.pid));
    for (let round = 0; round < roundsPerRun; round += 1) {
      for (const connections of connectionCounts) {
        await measured.add('postgres-batches', connections, batches.port, batches.uses);
        await measured.add('redis-script', connections, script.port, script.uses);
        await measured.add('potstream', connections, system.port, () => usesBelow(system.pid));
      }
      await measured.add('postgres-transactions', alone, transactions.port, transactions.uses);
      await measured.add('potstream', alone, system.port, () => usesBelow(system.pid));
    }
    return rowOf(measured);
  } finally {
    for (const peer of peers) await peer.stop();
    await system.stop();
  }
}

/** The reports by system and connections, and the cores that were used meanwhile. */
class Measured {
  readonly cores = new CoresByName();
  readonly all: LoadReport[] = [];
  readonly #plan: Omit<LoadPlan, 'port' | 'connections'>;
  readonly #potstream: () => ReturnType<typeof usesBelow>;
  readonly #reports = new Map<string, LoadReport[]>();

  constructor(plan: Omit<LoadPlan, 'port' | 'connections'>, potstream: () => ReturnType<typeof usesBelow>) {
    this.#plan = plan;
    this.#potstream = potstream;
  }

  async add(name: Name, connections: number, port: number, uses: RunningPeer['uses']): Promise<void> {
    const load = (): Promise<LoadReport> => runLoad({ ...this.#plan, port, connections });
    const own = (): Promise<LoadReport> => this.cores.during(`${name}, ${connections}`, uses, load);
    const report = name === 'potstream' ? await own() : await this.cores.during('idle', this.#potstream, own);
    this.all.push(report);
    this.#reports.set(`${name} ${connections}`, [...this.of(name, connections), report]);
  }

  of(name: Name, connections: number): readonly LoadReport[] {
    return this.#reports.get(`${name} ${connections}`) ?? [];
  }
}

function rowOf(measured: Measured): Row {
  const failures = measured.all.reduce(
    (sum, load) => sum + load.failures + load.requests - (load.statuses['200'] ?? 0),
    0,
  );
  const idle = [...measured.cores.cores('idle').values()].reduce((sum, cores) => sum + cores, 0);
  const generator = spread(measured.all.map((load) => load.cpuSeconds / load.wallSeconds));
  return {
    name: 'peers',
    title: `O8 beside what users would build, one hot instance, ${players.toLocaleString('en-US')} players, durable`,
    figures: [
      ...yardsticks.flatMap((yardstick) =>
        connectionCounts.map((connections) => rateFigure(measured, yardstick, connections)),
      ),
      timeFigure(measured),
    ],
    notes: [
      `every request has an idempotency key of its own; answers other than 200, of all: ${failures}`,
      `load generator: ${generator.median.toFixed(2)} cores, at most ${generator.max.toFixed(2)}`,
      `Potstream has run beside its peers and used ${idle.toFixed(2)} cores while they were measured; they use none while it is`,
      'the peers keep keys, sums of the pots and of the players; they know no draws, wins, limits, events or double entry (bench/yardsticks/peers)',
    ],
    processors: measured.cores.report().filter(({ process }) => !process.endsWith('(idle)')),
  };
}

function rateFigure(measured: Measured, { name, title, must, aim }: Yardstick, connections: number): Figure {
  const ours = measured.of('potstream', connections).map((load) => load.perSecond);
  const theirs = measured.of(name, connections).map((load) => load.perSecond);
  const ratio = spread(ours.map((value, at) => value / (theirs[at] ?? Number.NaN)));
  return {
    name: `contributions a second, ${connections} connections`,
    unit: '/s',
    ours: spread(ours),
    yardstick: { name: title, value: spread(theirs) },
    ratio,
    must: String(must[connections]),
    aim: String(aim[connections]),
    reached: ratio.median >= (must[connections] ?? Number.NaN),
  };
}

function timeFigure(measured: Measured): Figure {
  const ours = measured.of('potstream', alone).map((load) => load.p50Ms);
  const theirs = measured.of('postgres-transactions', alone).map((load) => load.p50Ms);
  const ratio = spread(ours.map((value, at) => value / (theirs[at] ?? Number.NaN)));
  return {
    name: 'p50 of one caller',
    unit: 'ms',
    ours: spread(ours),
    yardstick: { name: 'one Postgres transaction each', value: spread(theirs) },
    ratio,
    must: `at most ${mustTimeRatio}`,
    aim: String(aimTimeRatio),
    reached: ratio.median <= mustTimeRatio,
  };
}

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import { cpuSecondsOf, processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { type Spread, spread } from '../lib/statistics.ts';
import { freePort, type RunningSystem, startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';

const roundsPerRun = 3;
const connections = 64;
const durationMs = 8_000;
const warmUpMs = 2_000;

/**
 * O8 over HTTP with 64 connections onto one hot instance, beside a bare Fastify route with the same schemas.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem();
  const bare = await startBare();
  try {
    const plan = await contributionPlan(system);
    const gateways = rolesOf(system, 'potstream gateway');
    const ours: Sample[] = [];
    const yardstick: Sample[] = [];
    for (let round = 0; round < roundsPerRun; round += 1) {
      yardstick.push(await sample({ ...plan, port: bare.port }, [bare.pid]));
      ours.push(await sample(plan, gateways));
    }
    const maxPerSecond = spread(ours.map((one) => one.load.perSecond)).median;
    const before = processTree(system.pid);
    const half = await openLoop(plan, maxPerSecond / 2);
    const after = processTree(system.pid);
    const ninety = await openLoop(plan, maxPerSecond * 0.9);
    return {
      name: 'o8',
      title: `O8 over HTTP, ${gateways.length === 1 ? 'one gateway process' : `${gateways.length} gateway processes`}, 64 connections, one hot instance, sync always`,
      figures: figures(ours, yardstick, half, ninety),
      notes: [
        `every request has an idempotency key of its own; answers other than 200: ${failures([...ours.map((one) => one.load), ...half, ...ninety])}`,
        `open loop at 90 % of the closed-loop maximum: p99 ${spread(ninety.map((load) => load.p99Ms)).median.toFixed(1)} ms`,
        `load generator: ${spread(ours.map((one) => one.load.cpuSeconds / one.load.wallSeconds)).median.toFixed(2)} cores`,
      ],
      processors: after.map((process) => ({
        process: `${process.name} (at half load)`,
        cores:
          (process.cpuSeconds - (before.find((one) => one.pid === process.pid)?.cpuSeconds ?? 0)) /
          ((roundsPerRun * (durationMs + warmUpMs)) / 1000),
      })),
    };
  } finally {
    bare.stop();
    await system.stop();
  }
}

interface Sample {
  readonly load: LoadReport;
  readonly perCpuSecond: number;
}

async function sample(plan: LoadPlan, serverPids: readonly number[]): Promise<Sample> {
  const cpuSeconds = (): number => serverPids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const before = cpuSeconds();
  const load = await runLoad(plan);
  const wholeRun = (plan.durationMs + plan.warmupMs) / plan.durationMs;
  return { load, perCpuSecond: (load.requests * wholeRun) / (cpuSeconds() - before) };
}

async function openLoop(plan: LoadPlan, rate: number): Promise<LoadReport[]> {
  const loads: LoadReport[] = [];
  for (let round = 0; round < roundsPerRun; round += 1) loads.push(await runLoad({ ...plan, rate }));
  return loads;
}

function figures(ours: Sample[], bare: Sample[], half: LoadReport[], ninety: LoadReport[]): Figure[] {
  const rate = compare(
    ours.map((one) => one.load.perSecond),
    bare.map((one) => one.load.perSecond),
  );
  const effort = compare(
    ours.map((one) => one.perCpuSecond),
    bare.map((one) => one.perCpuSecond),
  );
  const p99 = spread(half.map((load) => load.p99Ms));
  return [
    {
      name: 'contributions a second',
      unit: '/s',
      ...named(rate),
      must: '0.5',
      aim: '0.75',
      reached: rate.ratio.median >= 0.5,
    },
    {
      name: 'requests per CPU-second of the gateway',
      unit: '/s',
      ...named(effort),
      must: '0.65',
      aim: '0.85',
      reached: effort.ratio.median >= 0.65,
    },
    {
      name: 'p99 at half load',
      unit: 'ms',
      ours: p99,
      yardstick: null,
      ratio: null,
      must: '12 ms',
      aim: '6 ms',
      reached: p99.median <= 12,
    },
    {
      name: 'p99 at 90 % load',
      unit: 'ms',
      ours: spread(ninety.map((load) => load.p99Ms)),
      yardstick: null,
      ratio: null,
      must: '–',
      aim: '–',
      reached: true,
    },
  ];
}

function compare(ours: number[], bare: number[]): { ours: Spread; bare: Spread; ratio: Spread } {
  return {
    ours: spread(ours),
    bare: spread(bare),
    ratio: spread(ours.map((value, at) => value / (bare[at] ?? 1))),
  };
}

function named(compared: {
  ours: Spread;
  bare: Spread;
  ratio: Spread;
}): Pick<Figure, 'ours' | 'yardstick' | 'ratio'> {
  return {
    ours: compared.ours,
    yardstick: { name: 'bare Fastify route', value: compared.bare },
    ratio: compared.ratio,
  };
}

function failures(loads: readonly LoadReport[]): number {
  return loads.reduce((sum, load) => sum + load.failures + load.requests - (load.statuses['200'] ?? 0), 0);
}

/** Several with POTSTREAM_GATEWAYS. */
function rolesOf(system: RunningSystem, name: string): number[] {
  const found = processTree(system.pid).filter((process) => process.name === name);
  if (found.length === 0) throw new Error(`no process ${name}`);
  return found.map(({ pid }) => pid);
}

/** O8 onto a new instance of `makeJackpot`, in a closed loop. */
export async function contributionPlan(system: RunningSystem): Promise<LoadPlan> {
  const { brand, instance, token } = await makeJackpot(system);
  const body = {
    token: 'session-of-the-load-generator',
    brand_id: brand,
    player_id: 'load-player-1',
    player_country: 'DE',
    gameround_id: 'round-of-the-load-generator',
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: 'key-@@@@@@@@@@@@',
    metadata: { table: 'seven', shift: 'night' },
  };
  const text = JSON.stringify(body);
  return {
    host: system.host,
    port: system.port,
    path: `/v1/jackpot/instances/${instance}/contributions`,
    headers: { Authorization: `Bearer ${token}` },
    body: text,
    connections: connections,
    durationMs: durationMs,
    warmupMs: warmUpMs,
    rate: 0,
  };
}

async function startBare(): Promise<{ port: number; pid: number; stop(): void }> {
  const port = await freePort();
  const script = fileURLToPath(new URL('../yardsticks/bare-fastify.js', import.meta.url));
  const child = spawn(process.execPath, [script, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', reject);
  });
  return { port, pid: child.pid as number, stop: () => void child.kill('SIGKILL') };
}

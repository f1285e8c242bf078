import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchJackpot, makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import { processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { freePort, type RunningSystem, startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';

const roundsPerRun = 3;
const connections = 64;
const durationMs = 3_000;
const warmUpMs = 1_000;
const contributionsPerSecond = 5_000;
/** Players who ask for their jackpot in turn (O12). */
const players = 200;
const mustRatios = 0.5;

/**
 * O12, O13 and O20 beside bare Fastify routes with the same schemas, all while contributions run onto the
 * very instance.
 */
export async function measure(): Promise<Row> {
  // Public GETs of one address are limited, and all of these come from one.
  const system = await startSystem({ POTSTREAM_PUBLIC_GETS_PER_SECOND: '10000000' });
  const jackpot = await makeJackpot(system);
  const routes = lookups(system, jackpot);
  const bare = await startBare(await bodiesOf(system, routes));
  try {
    const before = processTree(system.pid);
    const seconds = (roundsPerRun * routes.length * 2 * (durationMs + warmUpMs)) / 1000;
    const background = runLoad(contributions(system, jackpot, seconds));
    const figures: Figure[] = [];
    const loads: LoadReport[] = [];
    for (const route of routes) {
      const ours: LoadReport[] = [];
      const yardstick: LoadReport[] = [];
      for (let round = 0; round < roundsPerRun; round += 1) {
        yardstick.push(await runLoad({ ...route.plan, port: bare.port }));
        ours.push(await runLoad(route.plan));
      }
      figures.push(figureOf(route.name, ours, yardstick));
      loads.push(...ours);
    }
    const contributed = await background;
    const after = processTree(system.pid);
    return {
      name: 'lookups',
      title: `Lookups while ${contributionsPerSecond} contributions a second run, 64 connections, one gateway process`,
      figures,
      notes: [
        `contributions meanwhile: ${contributed.perSecond.toFixed(0)}/s, p99 ${contributed.p99Ms.toFixed(1)} ms, answers other than 200: ${failures([contributed])}`,
        `lookups answered otherwise than 200: ${failures(loads)}`,
        `O12: ${players} players in turn; a player's status is asked of the lane once in two seconds at most`,
      ],
      processors: after.map((process) => ({
        process: process.name,
        cores:
          (process.cpuSeconds - (before.find((one) => one.pid === process.pid)?.cpuSeconds ?? 0)) / seconds,
      })),
    };
  } finally {
    bare.stop();
    await system.stop();
  }
}

interface Lookup {
  readonly key: 'o12' | 'o13' | 'o20';
  readonly name: string;
  readonly plan: LoadPlan;
}

function lookups(system: RunningSystem, { brand, instance, source, token }: BenchJackpot): Lookup[] {
  const suffix = `jackpot/instances/source/${source}/brand/${brand}`;
  const service = { Authorization: `Bearer ${token}` };
  const plan = (path: string, headers = {}): LoadPlan => ({
    host: system.host,
    port: system.port,
    method: 'GET',
    path,
    headers,
    body: '',
    players: players,
    connections: connections,
    durationMs: durationMs,
    warmupMs: warmUpMs,
    rate: 0,
  });
  return [
    {
      key: 'o12',
      name: 'O12, jackpot for a source (operator)',
      plan: plan(`/v1/operator/${suffix}?player_id=load-player-@@@@&country_code=DE`, service),
    },
    { key: 'o13', name: 'O13, jackpot for a source (frontend)', plan: plan(`/v1/${suffix}?country_code=DE`) },
    { key: 'o20', name: 'O20, instance ticker', plan: plan(`/v1/jackpot/instances/${instance}/ticker`) },
  ];
}

function figureOf(name: string, ours: readonly LoadReport[], bare: readonly LoadReport[]): Figure {
  const ratio = spread(ours.map((load, round) => load.perSecond / (bare[round]?.perSecond ?? 1)));
  return {
    name: `${name}: a second`,
    unit: '/s',
    ours: spread(ours.map((load) => load.perSecond)),
    yardstick: { name: 'bare Fastify route', value: spread(bare.map((load) => load.perSecond)) },
    ratio,
    must: String(mustRatios),
    aim: '–',
    reached: ratio.median >= mustRatios,
  };
}

function failures(loads: readonly LoadReport[]): number {
  return loads.reduce((sum, load) => sum + load.failures + load.requests - (load.statuses['200'] ?? 0), 0);
}

function contributions(
  { host, port }: RunningSystem,
  { brand, source, token }: BenchJackpot,
  seconds: number,
): LoadPlan {
  return {
    host,
    port,
    path: `/v1/jackpot/sources/${source}/contributions`,
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      token: 'session-of-the-load-generator',
      brand_id: brand,
      player_id: 'load-player-0001',
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
      idempotency_key: 'key-@@@@@@@@@@@@',
    }),
    connections: connections,
    durationMs: seconds * 1000,
    warmupMs: 0,
    rate: contributionsPerSecond,
  };
}

async function bodiesOf(
  system: RunningSystem,
  routes: readonly Lookup[],
): Promise<Record<Lookup['key'], unknown>> {
  const bodies = await Promise.all(
    routes.map(async ({ key, plan }) => {
      const url = `http://${system.host}:${system.port}${plan.path.replace('@@@@', '0001')}`;
      const answer = await fetch(url, { headers: plan.headers });
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      return [key, await answer.json()] as const;
    }),
  );
  return Object.fromEntries(bodies) as Record<Lookup['key'], unknown>;
}

async function startBare(bodies: unknown): Promise<{ port: number; stop(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'potstream-lookups-'));
  const file = join(directory, 'bodies.json');
  writeFileSync(file, JSON.stringify(bodies));
  const port = await freePort();
  const script = fileURLToPath(new URL('../yardsticks/bare-lookups.js', import.meta.url));
  const child = spawn(process.execPath, [script, String(port), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', reject);
  });
  rmSync(directory, { recursive: true });
  return { port, stop: () => void child.kill('SIGKILL') };
}

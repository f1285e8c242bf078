import type { FirstRequest } from '../client-load.ts';
import { clientBody, players, requestPlan, targetOf } from '../lib/client-plans.ts';
import { administratorOf, callerOf } from '../lib/http.ts';
import { type BenchJackpot, makeJackpot } from '../lib/jackpot.ts';
import { runClients, runLoad } from '../lib/load-process.ts';
import { CoresUsed, cpuSecondsOf, processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { type Spread, spread } from '../lib/statistics.ts';
import { type RunningSystem, startSystem } from '../lib/system.ts';
import type { LoadReport } from '../load.ts';

const rounds = 5;
const connections = 64;
const growth = [1, 16, 64, 256, 1_024];
const growthRounds = 3;
const durationMs = 6_000;
const warmUpMs = 2_000;
const mustRatio = 0.9;
type Client = 'own' | 'own, logged in' | 'undici' | 'autocannon';
const clients: readonly Client[] = ['own', 'own, logged in', 'undici', 'autocannon'];

interface Sample {
  readonly load: LoadReport;
  /** Microseconds of the gateway for each contribution. */
  readonly gatewayMicros: number;
}

/**
 * O8 by the HTTP clients that operators use, after a log-in on each connection, beside our generator without.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem();
  try {
    const jackpot = await makeJackpot(system);
    await makeUsers(system);
    const gateway = gatewayOf(system);
    const samples = new Map<Client, Sample[]>(clients.map((client) => [client, []]));
    const cores = new Map(clients.map((client) => [client, new CoresUsed(system.pid)]));
    await run('own', system, jackpot);
    for (let round = 0; round < rounds; round += 1) {
      // Another client comes first in each round.
      for (const [index] of clients.entries()) {
        const client = clients[(index + round) % clients.length] as Client;
        const before = cpuSecondsOf(gateway);
        const load = await cores.get(client)!.during(() => run(client, system, jackpot));
        const requests = load.requests * ((durationMs + warmUpMs) / durationMs);
        samples
          .get(client)!
          .push({ load, gatewayMicros: ((cpuSecondsOf(gateway) - before) / requests) * 1e6 });
      }
    }
    const points: { count: number; loads: LoadReport[] }[] = growth.map((count) => ({ count, loads: [] }));
    for (let round = 0; round < growthRounds; round += 1)
      for (const { count, loads } of points) loads.push(await run('own, logged in', system, jackpot, count));
    const all = [...samples.values()].flat().map(({ load }) => load);
    return {
      name: 'clients',
      title: `O8 by real clients, ${connections} connections, ${players} players, UUIDs as keys, one hot instance, sync always`,
      figures: [...figuresOf(samples), ...points.flatMap(({ count, loads }) => figuresOfPoint(count, loads))],
      notes: [
        `“logged in”: each connection carries a log-in first; above ${connections} connections a list, because log-ins are slow on purpose`,
        `answers other than 200: ${failures([...all, ...points.flatMap(({ loads }) => loads)])}`,
        ...clients.map((client) => {
          const loads = samples.get(client)!.map(({ load }) => load);
          const use = spread(loads.map((load) => load.cpuSeconds / load.wallSeconds)).median;
          const each = spread(loads.map((load) => (load.cpuSeconds / load.requests) * 1e6)).median;
          return `load process, ${client}: ${use.toFixed(2)} cores, ${each.toFixed(0)} µs for each contribution; p50 ${spread(loads.map((load) => load.p50Ms)).median.toFixed(1)} ms, p99 ${spread(loads.map((load) => load.p99Ms)).median.toFixed(1)} ms`;
        }),
      ],
      processors: clients.flatMap((client) => cores.get(client)!.report(client)),
    };
  } finally {
    await system.stop();
  }
}

function run(
  client: Client,
  system: RunningSystem,
  jackpot: BenchJackpot,
  count: number = connections,
): Promise<LoadReport> {
  const times = { connections: count, durationMs, warmupMs: warmUpMs };
  if (client === 'own') return runLoad({ ...requestPlan(system, jackpot), ...times });
  if (client === 'own, logged in')
    return runLoad({ ...requestPlan(system, jackpot), ...times, firsts: firstsOf(count).map(textOf) });
  const target = { host: system.host, port: system.port, ...targetOf(jackpot) };
  const body = clientBody(jackpot);
  return runClients({ ...target, ...times, client, body, players, firsts: firstsOf(count) });
}

/** All log in at the same time, which only a few may as one user. */
const users = Array.from({ length: 16 }, (_, index) => ({
  username: `bench-client-${index}`,
  password: 'a long and good one',
}));

async function makeUsers(system: RunningSystem): Promise<void> {
  const admin = await administratorOf(system);
  for (const user of users)
    await callerOf(system)('POST', '/config/service-users', { ...user, operator_id: 'bench' }, admin);
}

function firstsOf(count: number): FirstRequest[] {
  if (count > connections) return [{ method: 'GET', path: '/v1/currencies', body: '' }];
  return users.map((user) => ({ method: 'POST', path: '/v1/auth/service', body: JSON.stringify(user) }));
}

function textOf({ method, path, body }: FirstRequest): string {
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: a\r\n${length}\r\n${body}`;
}

function figuresOf(samples: ReadonlyMap<Client, readonly Sample[]>): Figure[] {
  const own = samples.get('own')!;
  return clients.flatMap((client): Figure[] => {
    const of = samples.get(client)!;
    const yardstick = (value: (one: Sample) => number): Figure['yardstick'] =>
      client === 'own' ? null : { name: 'own generator, not logged in', value: spread(own.map(value)) };
    const ratio = (value: (one: Sample) => number): Spread | null =>
      client === 'own' ? null : spread(of.map((one, at) => value(one) / value(own[at] as Sample)));
    const perSecond = (one: Sample): number => one.load.perSecond;
    const perCpuSecond = (one: Sample): number => 1e6 / one.gatewayMicros;
    const isJudged = client === 'undici' || client === 'own, logged in';
    const judged = { must: isJudged ? String(mustRatio) : '–', aim: isJudged ? '1' : '–' };
    const reached = (value: Spread | null): boolean => !isJudged || (value?.median ?? 0) >= mustRatio;
    const rates = ratio(perSecond);
    const efforts = ratio(perCpuSecond);
    return [
      {
        name: `contributions a second, ${client}`,
        unit: '/s',
        ours: spread(of.map(perSecond)),
        yardstick: yardstick(perSecond),
        ratio: rates,
        ...judged,
        reached: reached(rates),
      },
      {
        name: `contributions per CPU-second of the gateway, ${client}`,
        unit: '/s',
        ours: spread(of.map(perCpuSecond)),
        yardstick: yardstick(perCpuSecond),
        ratio: efforts,
        ...judged,
        reached: reached(efforts),
      },
    ];
  });
}

function figuresOfPoint(count: number, loads: readonly LoadReport[]): Figure[] {
  const figure = (name: string, unit: string, value: (load: LoadReport) => number): Figure => ({
    name: `${name}, ${count} connections, own, logged in`,
    unit,
    ours: spread(loads.map(value)),
    yardstick: null,
    ratio: null,
    must: '–',
    aim: '–',
    reached: true,
  });
  return [
    figure('contributions a second', '/s', (load) => load.perSecond),
    figure('p50', 'ms', (load) => load.p50Ms),
    figure('p99', 'ms', (load) => load.p99Ms),
  ];
}

function failures(loads: readonly LoadReport[]): number {
  return loads.reduce((sum, load) => sum + load.failures + load.requests - (load.statuses['200'] ?? 0), 0);
}

function gatewayOf(system: RunningSystem): number {
  const found = processTree(system.pid).find((process) => process.name === 'potstream gateway');
  if (!found) throw new Error('no process potstream gateway');
  return found.pid;
}

import { fnv1a32 } from '../../src/lib/hashes.ts';
import { administratorOf, callerOf } from '../lib/http.ts';
import { type BenchJackpot, makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import { processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { type Spread, spread } from '../lib/statistics.ts';
import { type RunningSystem, startSystem } from '../lib/system.ts';
import type { LoadPlan } from '../load.ts';

const rounds = Number(process.env.HOSTS_ROUNDS ?? 3);
const lanes = 4;
const instancesPerLane = 4;
/** One generator a lane: it sends to one instance after the other. */
const connectionsPerLane = 64;
const durationMs = 6_000;
const warmupMs = 2_000;
const roles = ['potstream gateway', 'potstream actors', 'nats-server'] as const;

interface Sample {
  readonly perSecond: number;
  readonly failures: number;
  /** Processor time of each role for a contribution, in microseconds. */
  readonly microseconds: Readonly<Record<string, number>>;
}

/** Contributions to many instances over several lanes, by one actor host and by two. */
export async function measure(): Promise<Row> {
  const samples: { readonly [hosts: number]: Sample[] } = { 1: [], 2: [] };
  for (const hosts of [1, 2]) {
    const system = await startSystem({ POTSTREAM_LANES: String(lanes) }, ['--hosts', String(hosts)]);
    try {
      const plans = await plansOf(system);
      for (let round = 0; round < rounds; round += 1) samples[hosts]?.push(await sample(system, plans));
    } finally {
      await system.stop();
    }
  }
  return rowOf(samples[1] ?? [], samples[2] ?? []);
}

function rowOf(one: readonly Sample[], two: readonly Sample[]): Row {
  const perSecond = (all: readonly Sample[]): Spread => spread(all.map((each) => each.perSecond));
  const figures: Figure[] = [
    figure('contributions, one actor host', '/s', perSecond(one)),
    {
      ...figure('contributions, two actor hosts', '/s', perSecond(two)),
      yardstick: { name: 'one actor host', value: perSecond(one) },
      ratio: spread(two.map((each, at) => each.perSecond / (one[at]?.perSecond ?? Number.NaN))),
    },
  ];
  for (const [name, all] of [
    ['one actor host', one],
    ['two actor hosts', two],
  ] as const)
    for (const role of roles)
      figures.push(
        figure(
          `processor time for a contribution, ${role}, ${name}`,
          'µs',
          spread(all.map((each) => each.microseconds[role] ?? 0)),
        ),
      );
  const failures = [...one, ...two].reduce((sum, each) => sum + each.failures, 0);
  return {
    name: 'hosts',
    title: 'Contributions to many instances over several lanes, one actor host beside two',
    figures,
    notes: [
      `${lanes} lanes, ${instancesPerLane} instances each, one gateway, ${connectionsPerLane} connections a lane, every message synced; answers other than 200: ${failures}`,
      'With two hosts each lane is applied twice: by its owner and by its warm standby. The roles and the generators share the cores of this machine.',
    ],
    processors: [],
  };
}

function figure(name: string, unit: string, ours: Spread): Figure {
  return { name, unit, ours, yardstick: null, ratio: null, must: '–', aim: '–', reached: true };
}

/** One generator for each lane, all at once. */
async function sample(system: RunningSystem, plans: readonly LoadPlan[]): Promise<Sample> {
  await Promise.all(plans.map((plan) => runLoad({ ...plan, durationMs: warmupMs, warmupMs: 0 })));
  const before = usesOf(system);
  const loads = await Promise.all(plans.map((plan) => runLoad({ ...plan, warmupMs: 0 })));
  const after = usesOf(system);
  const requests = loads.reduce((sum, load) => sum + load.requests, 0);
  const taken = loads.reduce((sum, { statuses }) => sum + (statuses['200'] ?? 0), 0);
  const microseconds = roles.map((role) => [
    role,
    (1e6 * ((after.get(role) ?? 0) - (before.get(role) ?? 0))) / requests,
  ]);
  return {
    perSecond: loads.reduce((sum, load) => sum + load.perSecond, 0),
    failures: requests - taken,
    microseconds: Object.fromEntries(microseconds),
  };
}

function usesOf({ pid }: RunningSystem): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { name, cpuSeconds } of processTree(pid)) uses.set(name, (uses.get(name) ?? 0) + cpuSeconds);
  return uses;
}

async function plansOf(system: RunningSystem): Promise<readonly LoadPlan[]> {
  const jackpot = await makeJackpot(system);
  const token = await administratorOf(system);
  const call = callerOf(system);
  const plans: LoadPlan[] = [];
  for (const group of groups()) {
    const made = {
      template_owner_id: 'bench',
      template_id: 'three-pots',
      owner_id: 'bench',
      name: group,
      group,
    };
    const ids: string[] = [];
    for (let n = 0; n < instancesPerLane; n += 1) {
      const { id } = (await call('POST', '/config/instances', made, token)) as { id: string };
      await call('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'bench' }, token);
      ids.push(id);
    }
    plans.push(planOf(system, jackpot, ids));
  }
  return plans;
}

/** One for each lane. */
function groups(): string[] {
  const found = new Map<number, string>();
  for (let n = 0; found.size < lanes; n += 1)
    found.set(fnv1a32(`bench:group-${n}`) % lanes, `bench:group-${n}`);
  return [...found.values()];
}

function planOf(
  { host, port }: RunningSystem,
  { brand, token }: BenchJackpot,
  instances: readonly string[],
): LoadPlan {
  return {
    host,
    port,
    path: `/v1/jackpot/instances/${instances[0]}/contributions`,
    paths: instances.map((instance) => `/v1/jackpot/instances/${instance}/contributions`),
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({
      token: 'session',
      brand_id: brand,
      player_id: 'load-player-1',
      player_country: 'DE',
      base_wager: '1.00',
      currency: 'EUR',
      idempotency_key: `${instances[0]?.slice(0, 8)}-@@@@@@@@@@@@`,
    }),
    connections: connectionsPerLane,
    durationMs,
    warmupMs: 0,
    rate: 0,
  };
}

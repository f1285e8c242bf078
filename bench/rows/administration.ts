import { administratorOf } from '../lib/http.ts';
import { type BenchJackpot, makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { manyWrites, type RunningSystem, startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';

const mustWrites = 200;
const mustRatio = 0.8;
const rounds = 3;
const loadMs = 6_000;
const warmUpMs = 1_000;
const contributors = 64;
const writers = 32;

/**
 * Writes of administrators, each between two entries of the audit trail, alone and beside contributions of
 * the same instance.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem(manyWrites);
  try {
    const jackpot = await makeJackpot(system);
    const writes = writesOf(system, jackpot, await administratorOf(system));
    const fastest: Figure[] = [];
    for (const { name, plan } of writes) {
      const loads = [await runLoad(plan), await runLoad(plan), await runLoad(plan)];
      fastest.push(perSecond(`${name}, ${writers} at a time`, loads, null));
    }
    const contribution = contributionPlan(system, jackpot);
    const alone: LoadReport[] = [];
    const beside: LoadReport[] = [];
    const written: LoadReport[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await runLoad(contribution));
      const [load, ...loads] = await Promise.all([
        runLoad(contribution),
        ...writes.map(({ plan }) => runLoad({ ...plan, rate: mustWrites / writes.length })),
      ]);
      beside.push(load as LoadReport);
      written.push(loads);
    }
    return {
      name: 'administration',
      title: `Writes of administrators with the audit trail, and ${mustWrites} of them a second beside contributions`,
      figures: [
        ...fastest,
        besides(written),
        perSecond(`contributions beside ${mustWrites} writes a second`, beside, alone),
      ],
      notes: [
        ...writes.map(({ name }, index) => {
          const loads = written.map((round) => round[index] as LoadReport);
          return `${name} beside contributions: p50 ${worst(loads, 'p50Ms')} ms, p99 ${worst(loads, 'p99Ms')} ms, not accepted: ${failures(loads)}`;
        }),
        `contributions: p99 alone ${worst(alone, 'p99Ms')} ms, beside ${worst(beside, 'p99Ms')} ms; answers other than 200: ${failures([...alone, ...beside])}`,
      ],
      processors: [],
    };
  } finally {
    await system.stop();
  }
}

interface Write {
  readonly name: string;
  readonly plan: LoadPlan;
}

function writesOf(system: RunningSystem, jackpot: BenchJackpot, token: string): readonly Write[] {
  const { host, port } = system;
  const common = {
    host,
    port,
    headers: { Authorization: `Bearer ${token}` },
    connections: writers,
    durationMs: loadMs,
    warmupMs: warmUpMs,
    rate: 0,
  };
  const source = { owner_id: 'bench', source_id: 'source-@@@@@@@@@@@@', source_name: 'Slot', jackpots: [] };
  const optIn = {
    brand_id: jackpot.brand,
    player_id: 'player-@@@@@@@@@@@@',
    player_country: 'DE',
    opt_in: true,
    contribution_currency: 'EUR',
  };
  return [
    {
      name: 'A14, a source (directory)',
      plan: { ...common, path: '/config/sources', body: JSON.stringify([source]) },
    },
    {
      name: 'A24, an opt-in (lane)',
      plan: { ...common, path: `/config/instances/${jackpot.instance}/opt-in`, body: JSON.stringify(optIn) },
    },
  ];
}

function contributionPlan({ host, port }: RunningSystem, { brand, instance, token }: BenchJackpot): LoadPlan {
  return {
    host,
    port,
    path: `/v1/jackpot/instances/${instance}/contributions`,
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      token: 'session',
      brand_id: brand,
      player_id: 'load-player-0001',
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
      idempotency_key: 'key-@@@@@@@@@@@@',
    }),
    connections: contributors,
    durationMs: loadMs,
    warmupMs: warmUpMs,
    rate: 0,
  };
}

function perSecond(name: string, loads: readonly LoadReport[], alone: readonly LoadReport[] | null): Figure {
  const accepted = loads.map(acceptedPerSecond);
  const ratio =
    alone === null ? null : spread(loads.map((load, at) => load.perSecond / (alone[at]?.perSecond ?? 1)));
  return {
    name,
    unit: '/s',
    ours: spread(accepted),
    yardstick:
      alone === null ? null : { name: 'without', value: spread(alone.map((load) => load.perSecond)) },
    ratio,
    must: String(ratio === null ? mustWrites : mustRatio),
    aim: '–',
    reached: ratio === null ? spread(accepted).median >= mustWrites : ratio.median >= mustRatio,
  };
}

function besides(written: readonly (readonly LoadReport[])[]): Figure {
  const accepted = written.map((loads) => loads.reduce((sum, load) => sum + acceptedPerSecond(load), 0));
  return {
    name: 'all writes beside contributions, accepted',
    unit: '/s',
    ours: spread(accepted),
    yardstick: null,
    ratio: null,
    must: String(mustWrites),
    aim: '–',
    // An open loop ends with its last requests under way.
    reached: spread(accepted).median >= mustWrites * 0.98,
  };
}

function acceptedPerSecond({ statuses, requests, perSecond: all }: LoadReport): number {
  const accepted = (statuses['200'] ?? 0) + (statuses['204'] ?? 0);
  return requests === 0 ? 0 : (all * accepted) / requests;
}

function worst(loads: readonly LoadReport[], of: 'p50Ms' | 'p99Ms'): string {
  return Math.max(...loads.map((load) => load[of])).toFixed(1);
}

function failures(loads: readonly LoadReport[]): number {
  const accepted = (load: LoadReport) => (load.statuses['200'] ?? 0) + (load.statuses['204'] ?? 0);
  return loads.reduce((sum, load) => sum + load.failures + load.requests - accepted(load), 0);
}

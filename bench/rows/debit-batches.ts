import { readKeys } from '../../tools/reference-wallet/keys.ts';
import { contributions, openAccounts } from '../lib/debits.ts';
import { administratorOf, callerOf } from '../lib/http.ts';
import { makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import { CoresUsed } from '../lib/processor-time.ts';
import type { Figure, Row, RowOptions } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';

const rounds = 5;
const durationMs = 8_000;
const warmupMs = 2_000;
const must = 2;
/** More than there are connections: those who wait at the same time are others. */
const players = 512;
const brands = { alone: 'main', batched: 'batched' } as const;
type Way = keyof typeof brands;

interface Loads {
  readonly connections: number;
  readonly reports: Readonly<Record<Way, LoadReport[]>>;
}

/**
 * O8 with debits of many players, at the reference wallet: a brand with `batch_debits` beside one whose
 * debits go by W3, in turn, on the same instance.
 */
export async function measure({ seconds }: RowOptions): Promise<Row> {
  const system = await startSystem();
  try {
    const keys = readKeys(system.dataDirectory);
    if (keys === null) throw new Error('The reference wallet has no keys.');
    const jackpot = await makeJackpot(system, { operatorPart: '0', smallOdds: 20_000 });
    const admin = await administratorOf(system);
    const brand = [{ id: brands.batched, name: 'Batched' }];
    await callerOf(system)('POST', '/config/operators/bench/brands', brand, admin);
    const numbers = Array.from({ length: players }, (_, index) => String(index).padStart(6, '0'));
    const plans = {} as Record<Way, (connections: number) => LoadPlan>;
    for (const way of ['alone', 'batched'] as const) {
      const of = { ...jackpot, brand: `bench:${brands[way]}` };
      const sessions = numbers.map((number) => sessionOf(number, way));
      await openAccounts(system, keys, of.brand, sessions, way === 'batched');
      plans[way] = (connections) => {
        const load = { connections, durationMs: (seconds ?? durationMs / 1_000) * 1_000, warmupMs, rate: 0 };
        const { player, token } = sessionOf('######', way);
        const plan = contributions(system, of, token, load);
        return { ...plan, body: plan.body.replace('load-player-1', player), players };
      };
    }
    const used = { alone: new CoresUsed(system.pid), batched: new CoresUsed(system.pid) };
    // W1 knows each player from here on, and the code is warm.
    for (const way of ['alone', 'batched'] as const) await runLoad(plans[way](256));
    const loads: Loads[] = [];
    for (const connections of [64, 256]) {
      const reports = { alone: [] as LoadReport[], batched: [] as LoadReport[] };
      for (let round = 0; round < rounds; round += 1)
        for (const way of ['alone', 'batched'] as const)
          reports[way].push(await used[way].during(() => runLoad(plans[way](connections))));
      loads.push({ connections, reports });
    }
    return {
      name: 'debit-batches',
      title: 'O8 with debits of 512 players: batches (W4) beside debits alone (W3), sync always',
      figures: loads.flatMap(figures),
      notes: loads.map(note),
      processors: [...used.alone.report('alone'), ...used.batched.report('batched')],
    };
  } finally {
    await system.stop();
  }
}

/** A token belongs to one brand. */
function sessionOf(number: string, way: Way) {
  return { player: `load-${number}`, token: `session-${way}-${number}` };
}

function figures({ connections, reports: { alone, batched } }: Loads): readonly Figure[] {
  const rates = batched.map(({ perSecond }) => perSecond);
  const ratio = spread(rates.map((rate, round) => rate / (alone[round]?.perSecond ?? 1)));
  const yardstick = { name: 'debits alone', value: spread(alone.map(({ perSecond }) => perSecond)) };
  return [
    {
      name: `contributions with a debit a second, ${connections} connections`,
      ...{ unit: '/s', ours: spread(rates), yardstick, ratio },
      ...{ must: String(must), aim: '–', reached: ratio.median >= must },
    },
  ];
}

function note({ connections, reports: { alone, batched } }: Loads): string {
  const p99 = (loads: readonly LoadReport[]) => spread(loads.map(({ p99Ms }) => p99Ms)).median.toFixed(1);
  const answers = new Map<string, number>();
  for (const { statuses } of [...alone, ...batched])
    for (const [status, count] of Object.entries(statuses))
      if (status !== '200') answers.set(status, (answers.get(status) ?? 0) + count);
  const others = answers.size === 0 ? 'none' : [...answers].map((each) => each.join(': ')).join(', ');
  return `${connections} connections: p99 ${p99(batched)} ms in batches, ${p99(alone)} ms alone; answers other than 200: ${others}`;
}

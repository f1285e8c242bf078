import { readKeys } from '../../tools/reference-wallet/keys.ts';
import { creditShare, creditTimes } from '../lib/credit-times.ts';
import { contributions, openAccount, walletCalls } from '../lib/debits.ts';
import { makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import { CoresUsed } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { startSystem } from '../lib/system.ts';
import type { LoadReport } from '../load.ts';

const roundsPerRun = 5;
const connections = 64;
const durationMs = 8_000;
const warmUpMs = 2_000;
const load = { connections, durationMs, warmupMs: warmUpMs, rate: 0 };

/**
 * O8 with a player who pays through the reference wallet, beside the same W3 calls sent to that wallet alone.
 * In both the wallet syncs what it answers. One contribution in two hundred wins.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem();
  try {
    const keys = readKeys(system.dataDirectory);
    if (keys === null) throw new Error('The reference wallet has no keys.');
    const jackpot = await makeJackpot(system, { operatorPart: '0', smallOdds: 200 });
    const session = await openAccount(system, keys, jackpot);
    const plan = contributions(system, jackpot, session, load);
    const calls = walletCalls(system, keys, jackpot, load);
    const ours: LoadReport[] = [];
    const alone: LoadReport[] = [];
    await runLoad(plan);
    const full = new CoresUsed(system.pid);
    for (let round = 0; round < roundsPerRun; round += 1) {
      alone.push(await runLoad(calls));
      ours.push(await full.during(() => runLoad(plan)));
    }
    const rate = spread(ours.map(({ perSecond }) => perSecond)).median / 2;
    const half = new CoresUsed(system.pid);
    const before = await creditTimes(system.credentials.ops_url);
    const halfLoads: LoadReport[] = [];
    for (let round = 0; round < roundsPerRun; round += 1) {
      halfLoads.push(await half.during(() => runLoad({ ...plan, rate })));
    }
    const after = await creditTimes(system.credentials.ops_url);
    const median = creditShare(before, after, 0.5);
    return {
      name: 'debits',
      title: 'O8 with a debit of the player, 64 connections, one hot instance and player, sync always',
      figures: figures(ours, alone, halfLoads, median.ms, creditShare(before, after, 0.99).ms),
      notes: [
        `answers other than 200: ${failures([...ours, ...halfLoads])}; of W3 alone: ${failures(alone)}`,
        `${median.credits} credits at half load`,
        `p99 of W3 alone: ${spread(alone.map(({ p99Ms }) => p99Ms)).median.toFixed(1)} ms`,
      ],
      processors: [...full.report('at full load'), ...half.report('at half load')],
    };
  } finally {
    await system.stop();
  }
}

function figures(
  ours: readonly LoadReport[],
  alone: readonly LoadReport[],
  half: readonly LoadReport[],
  medianMs: number,
  p99Ms: number,
): Figure[] {
  const perSecond = (loads: readonly LoadReport[]): number[] => loads.map((load) => load.perSecond);
  const ratio = spread(perSecond(ours).map((value, at) => value / (alone[at]?.perSecond ?? 1)));
  const latency = spread(half.map((load) => load.p99Ms));
  const single = { unit: 'ms', yardstick: null, ratio: null };
  return [
    {
      name: 'contributions with a debit a second',
      unit: '/s',
      ours: spread(perSecond(ours)),
      yardstick: { name: 'the same W3 calls alone', value: spread(perSecond(alone)) },
      ratio,
      ...{ must: '0.4', aim: '0.7', reached: ratio.median >= 0.4 },
    },
    {
      ...single,
      name: 'p99 at half load',
      ours: latency,
      ...{ must: '60 ms', aim: '–', reached: latency.median < 60 },
    },
    {
      ...single,
      name: "from a win's record to its credit, median at half load",
      ours: spread([medianMs]),
      ...{ must: '100 ms', aim: '–', reached: medianMs < 100 },
    },
    {
      ...single,
      name: "from a win's record to its credit, p99 at half load",
      ours: spread([p99Ms]),
      ...{ must: '–', aim: '–', reached: true },
    },
  ];
}

function failures(loads: readonly LoadReport[]): number {
  return loads.reduce((sum, load) => sum + load.failures + load.requests - (load.statuses['200'] ?? 0), 0);
}

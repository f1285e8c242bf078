import { readKeys } from '../../tools/reference-wallet/keys.ts';
import { type FeedWatch, makeOtherBrand, type OtherBrand } from '../dead-wallet/other-brand.ts';
import type { WalletMode } from '../dead-wallet/wallet.ts';
import { contributions, openAccount } from '../lib/debits.ts';
import { makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';

const roundsPerRun = Number(process.env.POTSTREAM_DEAD_WALLET_ROUNDS ?? '5');
const connections = 64;
const warmUpMs = 1_000;
const fullMs = 3_000;
const calmMs = 5_000;
/** For the p99 of the brand that is measured: about half of what it reaches alone. */
const calmRate = 800;
/** The other brand's. Each of its callers waits 6 s where its wallet hangs. */
const otherRate = 40;
const otherConnections = 320;
const lookupRate = 100;
const lookupConnections = 8;
/** What its wallet left open is settled before the next phase. */
const settleMs = 1_500;

const down = ['refusing', 'hanging', 'dripping'] as const satisfies readonly WalletMode[];
type Down = (typeof down)[number];
const modes: readonly WalletMode[] = ['healthy', ...down];

/**
 * Two brands with wallets of their own, one jackpot, one lane. One wallet is down in three ways, and the
 * other brand goes on. The control is the same load while both wallets are well: what is measured is the
 * wallet that is down, not the neighbour's contributions.
 */
export async function measure(): Promise<Row> {
  // Lookups of one address are limited, and all of these come from one.
  const system = await startSystem({
    POTSTREAM_DEVELOPMENT: '1',
    POTSTREAM_PUBLIC_GETS_PER_SECOND: '10000000',
  });
  let other: OtherBrand | null = null;
  try {
    const keys = readKeys(system.dataDirectory);
    if (keys === null) throw new Error('The reference wallet has no keys.');
    const jackpot = await makeJackpot(system, { operatorPart: '0', smallOdds: 200 });
    const session = await openAccount(system, keys, jackpot);
    other = await makeOtherBrand(system, jackpot);
    const planOf = (durationMs: number, rate: number): LoadPlan =>
      contributions(system, jackpot, session, { connections, durationMs, warmupMs: warmUpMs, rate });
    const full = planOf(fullMs, 0);
    const calm = planOf(calmMs, calmRate);
    const feed = await other.feed();
    // What is compiled late does not count for the mode that comes first.
    await runLoad(full);
    const phases: Record<WalletMode, Phase[]> = { healthy: [], refusing: [], hanging: [], dripping: [] };
    for (let round = 0; round < roundsPerRun; round += 1) {
      for (let turn = 0; turn < modes.length; turn += 1) {
        const mode = modes[(turn + round) % modes.length]!;
        other.become(mode);
        phases[mode].push(await phase(full, calm, other, feed));
        other.become('healthy');
        await new Promise((resolve) => setTimeout(resolve, settleMs));
      }
    }
    feed.close();
    return {
      name: 'dead-wallet',
      title: 'A brand whose wallet is down beside another brand of the same jackpot and lane',
      figures: down.flatMap((mode) => figures(mode, phases[mode], phases.healthy)),
      notes: [
        `control: the same load of the other brand, ${otherRate} contributions and ${lookupRate} lookups a second, while its wallet is well`,
        `p99 of contributions at ${calmRate} a second; the wallet that is down knows tokens, so each contribution becomes a debit`,
        ...modes.map((mode) => `${mode}: the other brand's contributions ${statuses(phases[mode])}`),
        `contributions of the measured brand answered otherwise than 200: ${failures(Object.values(phases).flat())}`,
      ],
      processors: [],
    };
  } finally {
    await other?.stop();
    await system.stop();
  }
}

interface Phase {
  readonly full: LoadReport;
  readonly calm: LoadReport;
  readonly others: LoadReport;
  readonly lookups: LoadReport;
  readonly feed: ReturnType<FeedWatch['take']>;
}

async function phase(full: LoadPlan, calm: LoadPlan, other: OtherBrand, feed: FeedWatch): Promise<Phase> {
  const load = {
    warmupMs: warmUpMs,
    durationMs: full.durationMs + calm.durationMs + calm.warmupMs,
  };
  const others = runLoad(other.contributions({ ...load, connections: otherConnections, rate: otherRate }));
  const lookups = runLoad(other.lookups({ ...load, connections: lookupConnections, rate: lookupRate }));
  feed.take();
  const [fullReport, calmReport] = [await runLoad(full), await runLoad(calm)];
  const feedReport = feed.take();
  return {
    ...{ full: fullReport, calm: calmReport, feed: feedReport },
    ...{ others: await others, lookups: await lookups },
  };
}

function figures(mode: Down, ours: readonly Phase[], control: readonly Phase[]): Figure[] {
  const compared = (name: string, unit: string, isRate: boolean, of: (phase: Phase) => number): Figure => {
    const ratio = spread(ours.map((phase, round) => of(phase) / of(control[round]!)));
    return {
      name: `${mode}: ${name}`,
      unit,
      ours: spread(ours.map(of)),
      yardstick: { name: 'its wallet is well', value: spread(control.map(of)) },
      ratio,
      must: isRate ? '0.8' : '1.2',
      aim: '1',
      reached: isRate ? ratio.median >= 0.8 : ratio.median <= 1.2,
    };
  };
  return [
    compared('contributions of another brand a second', '/s', true, ({ full }) => full.perSecond),
    compared('their p50', 'ms', false, ({ calm }) => calm.p50Ms),
    compared('their p99', 'ms', false, ({ calm }) => calm.p99Ms),
    compared("p99 of the brand's own lookups", 'ms', false, ({ lookups }) => lookups.p99Ms),
    compared("updates on the brand's own feed", '', true, ({ feed }) => feed.updates),
    compared('longest time without an update', 'ms', false, ({ feed }) => feed.maxGapMs),
  ];
}

function statuses(phases: readonly Phase[]): string {
  const counts: Record<string, number> = {};
  for (const { others } of phases)
    for (const [status, count] of Object.entries(others.statuses))
      counts[status] = (counts[status] ?? 0) + count;
  return JSON.stringify(counts);
}

function failures(phases: readonly Phase[]): number {
  return phases
    .flatMap(({ full, calm }) => [full, calm])
    .reduce((sum, load) => sum + load.failures + load.requests - (load.statuses['200'] ?? 0), 0);
}

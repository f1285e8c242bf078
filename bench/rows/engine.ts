import { benchEngine } from '../engine.ts';
import type { Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';

const roundsPerRun = 5;
const mustRatios = 700_000;

/** The engine alone, on one core: no log, no network. */
export async function measure(): Promise<Row> {
  const results = Array.from({ length: roundsPerRun }, () => benchEngine());
  const broken = results.find((result) => result.imbalanceAtoms !== 0n);
  if (broken) throw new Error(`the books do not balance: ${broken.imbalanceAtoms} atoms`);
  const rate = spread(results.map((result) => result.contributionsPerSecond));
  return {
    name: 'engine',
    title: 'Engine alone: three pots, draws, player counters, idempotency, double entry',
    figures: [
      {
        name: 'contributions a second and core',
        unit: '/s',
        ours: rate,
        yardstick: null,
        ratio: null,
        must: '700,000/s',
        aim: '1,500,000/s',
        reached: rate.median >= mustRatios,
      },
    ],
    notes: [
      `${results[0]?.contributions.toLocaleString('en-US')} contributions a round, ${results[0]?.batch} a message, ${results[0]?.players.toLocaleString('en-US')} players, one instance; Σ of its accounts afterwards is 0`,
    ],
    processors: [],
  };
}

import { benchEngine } from '../engine.ts';
import type { Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { parseAndCount } from '../yardsticks/parse-and-count.ts';

const roundsPerRun = 5;
const mustRatio = 0.5;

/** The engine alone, on one core: no log, no network. */
export async function measure(): Promise<Row> {
  const rounds = Array.from({ length: roundsPerRun }, () => {
    const engine = benchEngine();
    return { engine, counted: parseAndCount(engine.contributions, engine.players) };
  });
  const broken = rounds.find(({ engine }) => engine.imbalanceAtoms !== 0n);
  if (broken) throw new Error(`the books do not balance: ${broken.engine.imbalanceAtoms} atoms`);
  const ratio = spread(rounds.map(({ engine, counted }) => engine.contributionsPerSecond / counted));
  const first = rounds[0]?.engine;
  return {
    name: 'engine',
    title: 'Engine alone: three pots, draws, player counters, idempotency, double entry',
    figures: [
      {
        name: 'contributions a second and core',
        unit: '/s',
        ours: spread(rounds.map(({ engine }) => engine.contributionsPerSecond)),
        yardstick: {
          name: 'JSON.parse of the same contributions and a Map update each',
          value: spread(rounds.map(({ counted }) => counted)),
        },
        ratio,
        must: String(mustRatio),
        aim: '1',
        reached: ratio.median >= mustRatio,
      },
    ],
    notes: [
      `${first?.contributions.toLocaleString('en-US')} contributions a round, ${first?.batch} a message, ${first?.players.toLocaleString('en-US')} players, one instance; Σ of its accounts afterwards is 0`,
    ],
    processors: [],
  };
}

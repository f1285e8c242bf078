import type { PotReport, SimulationReport } from '../../../src/simulation/report.ts';
import type { Spread } from '../../../src/simulation/statistics.ts';
import { count, duration, money, oneIn, percent } from './format.ts';

const unlimited = '–';

/** The report for a terminal. */
export function reportTable(report: SimulationReport): string {
  const { currency, house, money: sums, operator, rtp } = report;
  const facts: readonly (readonly [string, string])[] = [
    ['contributions', `${count(report.accepted)}${refusedText(report)} in ${duration(report.seconds)}`],
    ['wagered', `${money(sums.wagered)} ${report.choices.wagerCurrency}`],
    [
      'contributed',
      `${money(sums.contributed)} ${currency} (players ${money(sums.byPlayers)}, operator ${money(sums.byOperator)})`,
    ],
    ['paid to players', `${money(sums.paidToPlayers)} ${currency}`],
    ['RTP', `${percent(rtp.ofContributions)} of contributions, ${percent(rtp.ofWagers)} of wagers`],
    ['in the pots at the end', `${money(sums.inPots)} ${currency}`],
    ['house', `${money(house.atEnd)} ${currency} (from ${money(house.least)} to ${money(house.most)})`],
    [
      'operator',
      `initial seeds ${money(operator.initialSeeds)}, fronted ${money(operator.fronted)}, repaid ${money(operator.repaid)}, fees ${money(operator.fees)}`,
    ],
    ['operator, net cost', `${money(operator.netCost)} ${currency}`],
    [
      'seed deficit',
      `open ${percent(operator.deficitOpenShare)} of the time, ${money(operator.worstDeficit)} ${currency} at worst, ${money(operator.deficitAtEnd)} at the end`,
    ],
  ];
  const width = Math.max(...facts.map(([name]) => name.length)) + 2;
  return [
    `${report.name}: ${report.type}, ${currency}, seed ${report.choices.seed}, ${report.status} at the end`,
    ...facts.map(([name, words]) => `  ${name.padEnd(width)}${words}`),
    ...report.warnings.map((warning) => `  warning: ${warning}`),
    '',
    aligned([
      ['pot', 'trigger', 'share', 'RTP', 'drops', 'expected', 'per contribution', '95 % bounds', 'blocked'],
      ...report.pots.map(frequencyRow),
    ]),
    aligned([
      ['pot', 'value at drop: mean', 'p5', 'median', 'p95', 'time between: p5', 'median', 'p95'],
      ...report.pots.map(dropRow),
    ]),
    aligned([
      ['pot', 'reseeds', 'short of seed', '95 % bounds', 'fronted', 'largest'],
      ...report.pots.map(reseedRow),
    ]),
  ].join('\n');
}

function frequencyRow(pot: PotReport): readonly string[] {
  const { bounds, perContribution } = pot.frequency;
  return [
    pot.id,
    pot.triggers.join('+') || 'none',
    percent(pot.contributedShare),
    percent(pot.rtp),
    count(pot.drops),
    pot.expectedHits === null ? unlimited : pot.expectedHits.toFixed(1),
    oneIn(perContribution),
    `${oneIn(bounds.high)} to ${oneIn(bounds.low)}`,
    count(pot.blocked),
  ];
}

function dropRow(pot: PotReport): readonly string[] {
  const value = spreadText(pot.valueAtDrop, money, ['mean', 'p5', 'p50', 'p95']);
  return [pot.id, ...value, ...spreadText(pot.secondsBetweenDrops, duration, ['p5', 'p50', 'p95'])];
}

function reseedRow({ id, reseeds }: PotReport): readonly string[] {
  const { bounds } = reseeds;
  return [
    id,
    count(reseeds.count),
    reseeds.count === 0 ? unlimited : percent(reseeds.shortShare),
    reseeds.count === 0 ? unlimited : `${percent(bounds.low)} to ${percent(bounds.high)}`,
    money(reseeds.fronted),
    money(reseeds.largest),
  ];
}

function spreadText(
  spread: Spread | null,
  words: (value: number) => string,
  names: readonly (keyof Spread)[],
): readonly string[] {
  return names.map((name) => (spread === null ? unlimited : words(spread[name])));
}

function refusedText({ refused }: SimulationReport): string {
  const all = Object.entries(refused).map(([code, number]) => `${count(number)} ${code}`);
  return all.length === 0 ? '' : ` (refused: ${all.join(', ')})`;
}

/** The first column on the left, numbers on the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column < 1 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

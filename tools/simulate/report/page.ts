import type { PotReport, SimulationReport } from '../../../src/simulation/report.ts';
import { count, duration, money, oneIn, percent } from './format.ts';
import { escaped, frequencyPlot, histogramPlot, linePlot } from './plots.ts';
import { style } from './style.ts';

const colours = 6;

/** The report as one file: styles and plots are in it, nothing is loaded, nothing runs. */
export function reportPage(report: SimulationReport): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(report.name)}: simulation</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(report.name)}</h1>
<p class="lead">${count(report.accepted)} contributions over ${duration(report.seconds)} of play, drawn by the same engine that runs the jackpot.${refusals(report)}</p>
${report.warnings.map((warning) => `<p class="warning">${escaped(warning)}</p>`).join('\n')}
${figures(report)}
${overTime(report)}
${frequencies(report)}
${report.pots.map((pot, index) => drops(pot, index, report.currency)).join('\n')}
${seeds(report)}
${houseAndOperator(report)}
${choices(report)}
<footer>Made by potstream simulate. The same configuration, options and seed give the same figures again.</footer>
</main>
</body>
</html>
`;
}

function figures({ currency, money: sums, operator, rtp }: SimulationReport): string {
  const shown: readonly (readonly [string, string, string])[] = [
    [
      'Returned to players',
      percent(rtp.ofContributions),
      `of what was contributed; ${percent(rtp.ofWagers)} of the wagers`,
    ],
    [
      'Contributed',
      `${money(sums.contributed)}`,
      `${currency}: players ${money(sums.byPlayers)}, operator ${money(sums.byOperator)}`,
    ],
    [
      'Paid to players',
      `${money(sums.paidToPlayers)}`,
      `${currency}; ${money(sums.inPots)} are still in the pots`,
    ],
    [
      'Net cost of the operator',
      `${money(operator.netCost)}`,
      `${currency}: its contributions, seeds and advances, less repayments and fees`,
    ],
  ];
  const items = shown.map(
    ([name, value, words]) =>
      `<div class="figure"><dt>${name}</dt><dd>${value}<small>${escaped(words)}</small></dd></div>`,
  );
  return `<dl class="figures">${items.join('')}</dl>`;
}

function overTime({ currency, pots, series }: SimulationReport): string {
  const plots = pots.map((pot, index) => {
    const line = { name: pot.id, values: series.pots[index]! };
    const plot = linePlot(series.contributions, [line], count, money).replaceAll(
      'line c0',
      `line c${index % colours}`,
    );
    return `<div><h3>${escaped(pot.id)}</h3>${plot}</div>`;
  });
  return section(
    'The pots over time',
    `The advertised value of each pot in ${currency}, from left to right by contributions. A fall is a drop; what it rises from is the reseed.`,
    `<div class="pair">${plots.join('')}</div>`,
  );
}

function frequencies({ accepted, pots }: SimulationReport): string {
  const plot = frequencyPlot(
    pots.map(({ drops: observed, expectedHits, frequency, id, voids }) => ({
      name: id,
      drops: observed,
      expected: expectedHits === null ? null : expectedHits - voids,
      bounds: { low: frequency.bounds.low * accepted, high: frequency.bounds.high * accepted },
    })),
  );
  const rows = pots.map((pot) => [
    pot.id,
    pot.triggers.join(', ') || 'none',
    percent(pot.contributedShare),
    percent(pot.rtp),
    count(pot.drops),
    pot.expectedHits === null ? '–' : pot.expectedHits.toFixed(1),
    oneIn(pot.frequency.perContribution),
    `${oneIn(pot.frequency.bounds.high)} to ${oneIn(pot.frequency.bounds.low)}`,
    count(pot.voids),
    count(pot.blocked),
  ]);
  return section(
    'How often the pots drop',
    'The point is what happened, the band around it holds the true frequency with 95 % certainty (Wilson), the upright line is what the odds of all draws add up to. A line outside its band would be a reason to look closer; one time in twenty it is chance.',
    plot +
      table(
        [
          'Pot',
          'Trigger',
          'Share',
          'RTP',
          'Drops',
          'Expected',
          'Per contribution',
          '95 % bounds',
          'Void hits',
          'Blocked',
        ],
        rows,
      ) +
      '<p class="note">Share: of all contributions, what fed the pot. RTP: of all contributions, what the pot paid. Void: hit together with another pot that was paid instead. Blocked: contributions at which a constraint kept the pot from being drawn.</p>',
  );
}

function drops(pot: PotReport, index: number, currency: string): string {
  const { contributionsBetweenDrops, everyDrop, id, secondsBetweenDrops, valueAtDrop } = pot;
  if (valueAtDrop === null || secondsBetweenDrops === null || contributionsBetweenDrops === null)
    return section(`Drops of ${escaped(id)}`, 'The pot did not drop in this simulation.', '');
  const colour = index % colours;
  const names = ['least', 'p5', 'p25', 'p50', 'p75', 'p95', 'most', 'mean'] as const;
  const rows = [
    [`Paid, ${currency}`, ...names.map((name) => money(valueAtDrop[name]))],
    ['Time since the last', ...names.map((name) => duration(secondsBetweenDrops[name]))],
    ['Contributions since', ...names.map((name) => count(contributionsBetweenDrops[name]))],
  ];
  return section(
    `Drops of ${escaped(id)}`,
    `What ${count(pot.drops)} ${pot.drops === 1 ? 'drop' : 'drops'} paid, and how long players waited for it. Half of the drops lie between the columns 25 % and 75 %.`,
    `<div class="pair"><div><h3>Paid, ${escaped(currency)}</h3>${histogramPlot(everyDrop.values, colour, money)}</div><div><h3>Time between drops</h3>${histogramPlot(everyDrop.seconds, colour, duration)}</div></div>` +
      table(['', 'Least', '5 %', '25 %', 'Median', '75 %', '95 %', 'Most', 'Mean'], rows),
  );
}

function seeds({ currency, pots }: SimulationReport): string {
  const rows = pots.map(({ id, reseeds }) => [
    id,
    count(reseeds.count),
    reseeds.count === 0 ? '–' : `${count(reseeds.short)} (${percent(reseeds.shortShare)})`,
    reseeds.count === 0 ? '–' : `${percent(reseeds.bounds.low)} to ${percent(reseeds.bounds.high)}`,
    money(reseeds.fronted),
    money(reseeds.largest),
  ]);
  return section(
    'Risk of a seed deficit',
    `When a pot drops before it has collected its next seed, the house tops it up, then the operator. The operator’s part is an advance: later contributions to the house repay it first. Amounts in ${currency}.`,
    table(['Pot', 'Reseeds', 'Short of seed', '95 % bounds', 'Fronted', 'Largest'], rows),
  );
}

function houseAndOperator({ currency, house, operator, series }: SimulationReport): string {
  const lines = [
    { name: 'House', values: series.house },
    { name: 'Advance of the operator', values: series.deficit },
  ];
  const facts: readonly (readonly [string, string])[] = [
    [
      'House at the end',
      `${money(house.atEnd)}, between ${money(house.least)} and ${money(house.most)} on the way`,
    ],
    ['Diverted', money(house.diverted)],
    ['Operator’s part of contributions', money(operator.contributions)],
    ['Initial seeds', money(operator.initialSeeds)],
    [
      'Fronted at reseeds',
      `${money(operator.fronted)}, repaid ${money(operator.repaid)}, still out ${money(operator.deficitAtEnd)}`,
    ],
    [
      'Advance at worst',
      `${money(operator.worstDeficit)}; some of it was out ${percent(operator.deficitOpenShare)} of the time`,
    ],
    ['Fees', money(operator.fees)],
    ['Net cost', money(operator.netCost)],
  ];
  return section(
    'House and operator',
    `In ${currency}. The house keeps what no pot takes, and pays seeds out of it.`,
    linePlot(series.contributions, lines, count, money) +
      `<ul class="legend">${lines.map(({ name }, index) => `<li><span class="key c${index}"></span>${name}</li>`).join('')}</ul>` +
      list(facts),
  );
}

function choices({ choices: chosen, description, status, type }: SimulationReport): string {
  return section(
    'What was simulated',
    escaped(description),
    list([
      ['Type', `${type}, ${status} at the end`],
      ['Contributions', `${count(chosen.contributions)}, ${chosen.contributionsPerSecond} a second`],
      [
        'Wagers (amount:weight)',
        `${chosen.stakes} ${chosen.wagerCurrency}${chosen.rate === null ? '' : `, rate ${chosen.rate}`}`,
      ],
      ['Players', count(chosen.players)],
      ['Seed', chosen.seed],
    ]),
  );
}

function refusals({ refused }: SimulationReport): string {
  const all = Object.entries(refused).map(([code, number]) => `${count(number)} × ${escaped(code)}`);
  return all.length === 0 ? '' : ` Refused: ${all.join(', ')}.`;
}

function section(title: string, words: string, inside: string): string {
  return `<section class="card"><h2>${title}</h2><p class="note">${words}</p>${inside}</section>`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = header.map((cell) => `<th scope="col">${escaped(cell)}</th>`).join('');
  const body = rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`)
    .join('');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function list(facts: readonly (readonly [string, string])[]): string {
  return `<dl class="facts">${facts.map(([name, words]) => `<dt>${name}</dt><dd>${escaped(words)}</dd>`).join('')}</dl>`;
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: { readonly median: number };
  readonly yardstick?: { readonly name: string; readonly value: { readonly median: number } } | null;
  readonly ratio?: { readonly median: number } | null;
  readonly must: string;
}

interface Result {
  readonly figures: readonly Figure[];
  readonly processors: readonly { readonly process: string; readonly cores: number }[];
  readonly about: { readonly date: string };
}

const root = resolve(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(resolve(root, file), 'utf8');
const resultOf = (row: string) => JSON.parse(textOf(`bench/results/${row}.json`)) as Result;

/** The rows of README's table: what it calls them, and which figures they are. */
const rows = [
  ['o8', 'contributions a second'],
  ['o8', 'requests per CPU-second of the gateway'],
  ['o8', 'p99 at half load'],
  ['lookups', 'O12, jackpot for a source (operator): a second'],
  ['lookups', 'O13, jackpot for a source (frontend): a second'],
  ['lookups', 'O20, instance ticker: a second'],
  ['hot-instance', 'contributions a second'],
  ['engine', 'contributions a second and core'],
] as const;

function shown(value: number, unit: string): string {
  return unit === '/s' ? `${Math.round(value).toLocaleString('en')}/s` : `${value.toPrecision(3)} ${unit}`;
}

it("README's table of speed has the figures of bench/results", () => {
  const [, table = ''] = /^\| figure \| Potstream .*\n\|.*\n((?:\|.*\n)+)/m.exec(textOf('README.md')) ?? [];
  const cells = table
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(2, -1)
        .map((cell) => cell.trim()),
    );
  const expected = rows.map(([row, name]) => {
    const figure = resultOf(row).figures.find((each) => each.name === name)!;
    const { yardstick, ratio, unit } = figure;
    return [
      shown(figure.ours.median, unit),
      yardstick ? expect.stringMatching(new RegExp(`${shown(yardstick.value.median, unit)}$`)) : '–',
      ratio ? ratio.median.toFixed(2) : '–',
      figure.must,
    ];
  });
  expect(cells).toEqual(expected);
});

it("README's date is that of the results", () => {
  const dates = new Set(rows.map(([row]) => resultOf(row).about.date.slice(0, 10)));
  expect([...dates]).toEqual([/cores, (\d{4}-\d{2}-\d{2}):/.exec(textOf('README.md'))?.[1]]);
});

it('docs/operate.md weighs the processes as bench/results does', () => {
  const { processors } = resultOf('o8');
  const cores = (program: string) =>
    processors.find(({ process }) => process === `${program} (at half load)`)!.cores;
  const [g, a, n] = [cores('potstream gateway'), cores('potstream actors'), cores('nats-server')];
  // A standby applies what its owner applies.
  const ratios = [n / g, (2 * a) / g].map((ratio) => ratio.toFixed(1));
  const said = /\*n\* is about ([0-9.]+) \*g\*, and \*a\* \+ \*s\* about ([0-9.]+) \*g\*/;
  expect(said.exec(textOf('docs/operate.md').replace(/\s+/g, ' '))?.slice(1)).toEqual(ratios);
});

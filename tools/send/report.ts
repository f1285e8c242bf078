import { tableText } from '../../src/cli/terminal/table.ts';
import { formatAmount } from '../../src/lib/money.ts';
import { atomsOf, type StoredTally } from './tally.ts';

/** What `--json` prints, and the table of the end says. */
export interface Report {
  readonly file: string;
  readonly finished: boolean;
  readonly answered: number;
  readonly applied: number;
  readonly repeated: number;
  readonly refused: StoredTally['refused'];
  readonly contributed: StoredTally['contributed'];
  readonly seconds: number;
  readonly per_second: number;
}

export function reportOf(file: string, finished: boolean, tally: StoredTally): Report {
  const { applied, repeated, refused, contributed, elapsedMs } = tally;
  const answered = applied + repeated + refusals(refused);
  const seconds = elapsedMs / 1000;
  const per_second = seconds === 0 ? 0 : Math.round(answered / seconds);
  return { file, finished, answered, applied, repeated, refused, contributed, seconds, per_second };
}

export function reportText(report: Report): string {
  const { file, finished, answered, applied, repeated, refused, contributed, seconds, per_second } = report;
  const counts = [
    ['answered', number(answered)],
    ['applied', number(applied)],
    ['repeated', number(repeated)],
    ['refused', number(refusals(refused))],
    ['rate', `${number(per_second)}/s in ${seconds.toFixed(1)} s`],
  ];
  const codes = Object.entries(refused)
    .sort(([, one], [, other]) => other.count - one.count)
    .map(([code, { count, firstLines }]) => [code, number(count), firstLines.join(', ')]);
  const sums = Object.entries(contributed)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sum]) => [currency, sum.applied, sum.repeated, added(sum)]);
  const parts = [
    `${file}: ${finished ? 'every line is answered' : 'not finished; the same command goes on'}\n`,
    tableText(counts),
    codes.length === 0 ? '' : tableText([['refused with', 'lines', 'the first of them'], ...codes]),
    sums.length === 0 ? '' : tableText([['contributed', 'applied', 'repeated', 'together'], ...sums]),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function refusals(refused: StoredTally['refused']): number {
  return Object.values(refused).reduce((sum, { count }) => sum + count, 0);
}

function added({ applied, repeated }: { readonly applied: string; readonly repeated: string }): string {
  return formatAmount(atomsOf(applied) + atomsOf(repeated));
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}

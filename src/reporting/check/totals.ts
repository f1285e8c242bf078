import { formatAmount } from '../../lib/money.ts';
import type { Measure } from '../base/daily-tables.ts';
import type { RowOf } from '../base/tables.ts';
import type { Finding } from './finding.ts';
import { type RecomputedDay, type RecomputedDays, type RecomputedMeasure, totalsKey } from './recomputed.ts';

/** Measures of each owner's row, by the rows that they are sums of. */
const ofContributions = [
  'contributions',
  'wagered',
  'contributed',
  'player_part',
  'operator_part',
  'bonus',
  'house',
  'diverted',
  'seed_collected',
  'repaid',
] as const;
const ofWins = ['wins', 'won', 'community', 'raffle'] as const;
const ofPots = ['contributed', 'seed_collected', 'wins', 'won', 'community', 'raffle'] as const;

/** Measures of all owners together: what entries moved, by account; the sign says what the measure counts. */
const ofEntries: readonly (readonly [measure: Measure, account: string, sign: 1n | -1n])[] = [
  ['fees', 'operator_fee', 1n],
  ['adjusted', 'adjustment', -1n],
  ['transferred', 'transfer', -1n],
  ['fx', 'fx', 1n],
];

/** Whether the totals of a day are the sums of its rows. */
export function checkTotals(
  instance: string,
  day: string,
  { contributions, entries, wins }: RecomputedDays,
  rows: readonly RowOf<'daily_totals'>[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const compare = (what: string, measure: Measure, expected: bigint, found: bigint) => {
    if (expected === found) return;
    const format = measure === 'contributions' || measure === 'wins' ? String : formatAmount;
    const amounts = { expected: format(expected), found: format(found) };
    findings.push({ table: 'daily_totals', instance, account: null, day, what, ...amounts });
  };
  const stored = new Map(rows.map((row) => [totalsKey(row), row]));
  for (const key of new Set([...stored.keys(), ...contributions.totals.keys(), ...wins.totals.keys()])) {
    const row = stored.get(key);
    const isOfPot = !key.startsWith(' ');
    const measures: readonly RecomputedMeasure[] = isOfPot ? ofPots : [...ofContributions, ...ofWins];
    for (const measure of measures) {
      const sum = (of: RecomputedDay) => of.totals.get(key)?.get(measure) ?? 0n;
      const owner = key.trim().replaceAll(' ', ' of ');
      compare(`${measure} of ${owner}`, measure, sum(contributions) + sum(wins), BigInt(row?.[measure] ?? 0));
    }
  }
  const own = rows.filter(({ pot }) => pot === '');
  const compareAll = (measure: Measure, expected: bigint) => {
    const found = own.reduce((sum, row) => sum + BigInt(row[measure]), 0n);
    compare(`${measure} of all owners`, measure, expected, found);
  };
  for (const [measure, account, sign] of ofEntries)
    compareAll(measure, sign * (entries.moved.get(account) ?? 0n));
  compareAll('seed_fronted', entries.frontedAtoms);
  return findings;
}

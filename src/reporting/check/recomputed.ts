import { parseAmount } from '../../lib/money.ts';
import type { Measure } from '../base/daily-tables.ts';
import type { RowOf } from '../base/tables.ts';

/** The daily totals and movements of an instance again, from nothing but its rows. */

/** Measures that follow from rows of an instance. What is withheld is in `payments`, which changes. */
export type RecomputedMeasure = Exclude<Measure, 'withheld'>;

export interface RecomputedDay {
  /** By account. */
  readonly moved: Map<string, bigint>;
  /** What entries took from the operator's capital, each for itself. */
  frontedAtoms: bigint;
  /** By pot (empty: the instance), operator and brand. */
  readonly totals: Map<string, Map<RecomputedMeasure, bigint>>;
  /** Rows whose postings do not sum to zero, by their place. */
  readonly unbalanced: { readonly place: string; readonly sum: bigint }[];
}

/** One day again, by the tables that it is recomputed from. */
export interface RecomputedDays {
  readonly contributions: RecomputedDay;
  readonly entries: RecomputedDay;
  readonly wins: RecomputedDay;
}

export function emptyDay(): RecomputedDay {
  return { moved: new Map(), frontedAtoms: 0n, totals: new Map(), unbalanced: [] };
}

/** No posting is larger than what wallets pay. */
const maxSplitAtoms = 10n ** 60n;

export function totalsKey({
  pot,
  operator,
  brand,
}: {
  pot: string;
  operator: string;
  brand: string;
}): string {
  return `${pot} ${operator} ${brand}`;
}

export function addContribution(day: RecomputedDay, row: RowOf<'contributions'>): void {
  const amounts = move(day, row);
  const of = (...accounts: readonly string[]) => sumOf(amounts, (account) => accounts.includes(account));
  const house = of('house', 'diversion', 'diversion_pending');
  const pots = sumOf(amounts, (account) => account.includes('.'));
  const part = { pot: '', operator: row.operator, brand: row.brand };
  add(day, part, {
    contributions: 1n,
    wagered: row.instance_wager_amount,
    contributed: row.contribution_amount,
    player_part: row.player_part,
    operator_part: row.operator_part,
    bonus: row.debit_amount === 0n ? 0n : (row.player_part * row.bonus_amount) / row.debit_amount,
    house,
    diverted: of('diversion', 'diversion_pending'),
    seed_collected: sumOf(amounts, (account) => account.endsWith('.seed')),
    repaid: row.contribution_amount - house - pots,
  });
  for (const [account, atoms] of amounts) {
    const [pot = '', balance] = account.split('.');
    if (balance === undefined) continue;
    add(
      day,
      { ...part, pot },
      { contributed: atoms, ...(balance === 'seed' ? { seed_collected: atoms } : {}) },
    );
  }
}

export function addWin(day: RecomputedDay, row: RowOf<'wins'>): void {
  const { operator, brand, pot, amount, kind } = row;
  const won = { wins: 1n, won: amount };
  const measures = kind === 'community' || kind === 'raffle' ? { ...won, [kind]: amount } : won;
  add(day, { pot: '', operator, brand }, measures);
  add(day, { pot, operator, brand }, measures);
}

export function addEntry(day: RecomputedDay, row: RowOf<'entries'>): void {
  const capital = sumOf(move(day, row), (account) => account === 'operator_capital');
  if (capital < 0n) day.frontedAtoms -= capital;
}

function move(
  day: RecomputedDay,
  row: RowOf<'contributions'> | RowOf<'entries'>,
): readonly (readonly [account: string, atoms: bigint])[] {
  const amounts = Object.entries(row.split as Readonly<Record<string, string>>).map(
    ([account, decimal]) => [account, atomsOfSplit(decimal)] as const,
  );
  for (const [account, atoms] of amounts) day.moved.set(account, (day.moved.get(account) ?? 0n) + atoms);
  const sum = sumOf(amounts, () => true);
  const { lane, sequence, command_index, part } = row;
  if (sum !== 0n) day.unbalanced.push({ place: [lane, sequence, command_index, part].join('/'), sum });
  return amounts;
}

function atomsOfSplit(decimal: string): bigint {
  const read = parseAmount(decimal, maxSplitAtoms);
  return read.ok ? read.atoms : 0n;
}

function add(
  day: RecomputedDay,
  part: { pot: string; operator: string; brand: string },
  measures: { readonly [M in RecomputedMeasure]?: bigint },
): void {
  const key = totalsKey(part);
  const sums = day.totals.get(key) ?? new Map<RecomputedMeasure, bigint>();
  day.totals.set(key, sums);
  for (const [measure, atoms] of Object.entries(measures) as [RecomputedMeasure, bigint][])
    sums.set(measure, (sums.get(measure) ?? 0n) + atoms);
}

function sumOf(
  amounts: readonly (readonly [account: string, atoms: bigint])[],
  isOne: (account: string) => boolean,
): bigint {
  return amounts.reduce((sum, [account, atoms]) => (isOne(account) ? sum + atoms : sum), 0n);
}

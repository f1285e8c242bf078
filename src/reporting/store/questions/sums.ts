import { maxCounted } from '../../../contracts/reports/questions.ts';
import type { ColumnKind } from '../../base/columns.ts';
import { type BooksTable, type TableShape, tables } from '../../base/tables.ts';
import { atomsOf } from '../reading.ts';
import type { AnyRow } from '../shared/rows.ts';
import { sqlName } from '../shared/schema.ts';
import type { BooksStore } from '../store.ts';
import { type Condition, Parameters } from './select.ts';

/** One group of a sum: what it is grouped by, and exact sums. Counts are sums, too. */
export interface GroupSums {
  readonly group: Readonly<Record<string, string>>;
  readonly sums: Readonly<Record<string, bigint>>;
}

/** Groups of one answer: a report of more is asked for in parts. */
const maxGroups = 10_000;

/** A number of groups, from behind one or from the first one. */
interface GroupPage {
  readonly after: readonly string[] | null;
  readonly limit: number;
}

const firstGroups: GroupPage = { after: null, limit: maxGroups + 1 };

/**
 * Sums of columns by group, in the order of the groups: at most `maxGroups` and one, which says that there
 * are more, or those of a page. PostgreSQL adds up by itself; libsql has no integers of that size, and its
 * rows are added up here.
 */
export function sumsBy(
  store: BooksStore,
  name: BooksTable,
  group: readonly string[],
  summed: readonly string[],
  where: readonly Condition[],
  page: GroupPage = firstGroups,
): Promise<readonly GroupSums[]> {
  return store.dialect === 'postgres'
    ? sumsOfDatabase(store, name, group, summed, where, page)
    : sumsOfRows(store, name, group, summed, where, page);
}

/** How many groups there are; above `maxCounted`: more. */
export async function countGroups(
  store: BooksStore,
  name: BooksTable,
  group: readonly string[],
  where: readonly Condition[],
): Promise<number> {
  const parameters = new Parameters(store, name);
  const conditions = groupConditions(parameters, group, where, null);
  const some = `SELECT 1 AS "one" FROM ${store.prefix}${sqlName(name)}${parameters.where(conditions)}
    GROUP BY ${group.map(sqlName).join(', ')} LIMIT ${maxCounted + 1}`;
  const [row] = await store.select(`SELECT count(*) AS "count" FROM (${some}) AS "some"`, parameters.values);
  return Number(row?.count);
}

/** The conditions of a page of groups, whose places are bound. */
export function groupConditions(
  parameters: Parameters,
  group: readonly string[],
  where: readonly Condition[],
  after: readonly string[] | null,
): string[] {
  const conditions = where.map((condition) => parameters.condition(condition));
  if (after === null) return conditions;
  const places = group.map((column, index) => parameters.bind(column, after[index] ?? ''));
  return [...conditions, `(${group.map(sqlName).join(', ')}) > (${places.join(', ')})`];
}

async function sumsOfDatabase(
  store: BooksStore,
  name: BooksTable,
  group: readonly string[],
  summed: readonly string[],
  where: readonly Condition[],
  { after, limit }: GroupPage,
): Promise<readonly GroupSums[]> {
  const parameters = new Parameters(store, name);
  const conditions = groupConditions(parameters, group, where, after);
  const columns = [
    ...group.map(sqlName),
    ...summed.map((each) => `sum(${sqlName(each)}) AS ${sqlName(each)}`),
  ];
  const groups = group.map(sqlName).join(', ');
  const by = group.length === 0 ? '' : ` GROUP BY ${groups} ORDER BY ${groups} LIMIT ${limit}`;
  const text = `SELECT ${columns.join(', ')} FROM ${store.prefix}${sqlName(name)}${parameters.where(conditions)}${by}`;
  const rows = await store.select(text, parameters.values);
  return rows.map((row) => ({ group: groupOf(row, group), sums: readSums(row, name, summed) }));
}

async function sumsOfRows(
  store: BooksStore,
  name: BooksTable,
  group: readonly string[],
  summed: readonly string[],
  where: readonly Condition[],
  { after, limit }: GroupPage,
): Promise<readonly GroupSums[]> {
  const parameters = new Parameters(store, name);
  const conditions = groupConditions(parameters, group, where, after);
  const columns = [...group, ...summed].map(sqlName).join(', ');
  const order = group.length === 0 ? '' : ` ORDER BY ${group.map(sqlName).join(', ')}`;
  const text = `SELECT ${columns} FROM ${sqlName(name)}${parameters.where(conditions)}${order}`;
  const groups: { group: GroupSums['group']; sums: Record<string, bigint> }[] = [];
  for (const row of await store.select(text, parameters.values)) {
    const of = groupOf(row, group);
    let last = groups.at(-1);
    if (last === undefined || group.some((each) => last?.group[each] !== of[each])) {
      if (groups.length === limit) break;
      last = { group: of, sums: Object.fromEntries(summed.map((each) => [each, 0n])) };
      groups.push(last);
    }
    for (const each of summed)
      last.sums[each] = (last.sums[each] ?? 0n) + BigInt(row[each] as string | bigint);
  }
  return groups;
}

function groupOf(row: AnyRow, group: readonly string[]): GroupSums['group'] {
  return Object.fromEntries(group.map((each) => [each, String(row[each])]));
}

function readSums(row: AnyRow, name: BooksTable, summed: readonly string[]): GroupSums['sums'] {
  const { columns }: TableShape = tables[name];
  return Object.fromEntries(
    summed.map((each) => {
      const kind: ColumnKind | undefined = columns[each]?.kind;
      const value = row[each] === null ? '0' : String(row[each]);
      return [each, kind === 'integer' ? BigInt(value) : atomsOf(value)];
    }),
  );
}

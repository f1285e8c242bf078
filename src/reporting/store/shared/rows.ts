import type { ColumnKind } from '../../base/columns.ts';
import { type Measure, measures } from '../../base/daily-tables.ts';
import type {
  DailyChange,
  LanePosition,
  Movement,
  PlayerChange,
  WrittenTable,
} from '../../base/lane-batch.ts';
import { type SideTable, sideTables } from '../../base/side-tables.ts';
import { type RowOf, type TableShape, tables } from '../../base/tables.ts';

/** A row of any table, by the names of its columns. */
export type AnyRow = Readonly<Record<string, unknown>>;

export const measureNames = Object.keys(measures) as readonly Measure[];

/** The tables that a batch writes rows to, in the order of the list. */
export const writtenTables = (Object.keys(tables) as (keyof typeof tables)[]).filter(
  (name): name is WrittenTable =>
    tables[name].way !== 'kept' && name !== 'positions' && name !== 'openings' && !(name in sideTables),
);

/** Those of streams beside the lanes. */
export const sideTableNames: readonly SideTable[] = ['wallet_tries', 'callback_tries', 'audit'];

/** The rows of a table: of each key of a state the newest. */
export function rowsOf<T extends WrittenTable | SideTable>(
  batch: { readonly rows: { readonly [N in T]?: readonly AnyRow[] } },
  name: T,
): readonly AnyRow[] {
  const rows: readonly AnyRow[] = batch.rows[name] ?? [];
  return tables[name].way === 'state' ? newestOf(rows, tables[name].key) : rows;
}

function newestOf(rows: readonly AnyRow[], key: readonly string[]): readonly AnyRow[] {
  if (rows.length < 2) return rows;
  return [...new Map(rows.map((row) => [keyOf(row, key), row])).values()];
}

function keyOf(row: AnyRow, key: readonly string[]): string {
  return JSON.stringify(key.map((name) => row[name]));
}

/** What is added to a table that the writer keeps, each key once. */
export interface Addition {
  readonly key: AnyRow;
  readonly added: Readonly<Record<string, bigint>>;
}

export function totalsOf(changes: readonly DailyChange[]): readonly Addition[] {
  return summed(
    tables.daily_totals.key,
    changes.map(({ measures: given, ...key }) => ({
      key,
      added: Object.fromEntries(measureNames.map((name) => [name, given[name] ?? 0n])),
    })),
  );
}

export function playersOf(changes: readonly PlayerChange[]): readonly Addition[] {
  return summed(
    tables.daily_players.key,
    changes.map(({ contributions, contributedAtoms, playerAtoms, wins, wonAtoms, ...key }) => ({
      key,
      added: {
        contributions: BigInt(contributions),
        contributed: contributedAtoms,
        player_part: playerAtoms,
        wins: BigInt(wins),
        won: wonAtoms,
      },
    })),
  );
}

/** The movements by day, the first day first, each account once. */
export function movementsByDay(
  movements: readonly Movement[],
): readonly (readonly [day: string, movements: readonly Movement[]])[] {
  const days = new Map<string, Map<string, Movement>>();
  for (const movement of movements) {
    const { day, instance, account, atoms } = movement;
    const accounts = days.get(day) ?? new Map<string, Movement>();
    days.set(day, accounts);
    const key = `${instance} ${account}`;
    accounts.set(key, { ...movement, atoms: atoms + (accounts.get(key)?.atoms ?? 0n) });
  }
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, accounts]) => [day, [...accounts.values()]]);
}

/** The first row of a balance. */
export function openingBalance(opening: RowOf<'openings'>): RowOf<'daily_balances'> {
  const { day, instance, account, balance } = opening;
  return { day, instance, account, opening: balance, movement: 0n, closing: balance };
}

export function readPosition({ lane, sequence, time, head, system_id: systemId }: AnyRow): LanePosition {
  return {
    lane: Number(lane),
    sequence: Number(sequence),
    timestampMs: Number(time),
    head: String(head),
    systemId: String(systemId),
  };
}

const tableKinds = new Map<TableShape, readonly (readonly [name: string, kind: ColumnKind])[]>();

/** The kinds of a table's columns, in order. */
export function kindsOf(table: TableShape): readonly (readonly [name: string, kind: ColumnKind])[] {
  let kinds = tableKinds.get(table);
  if (kinds === undefined) {
    kinds = Object.entries(table.columns).map(([name, { kind }]) => [name, kind]);
    tableKinds.set(table, kinds);
  }
  return kinds;
}

/** The columns of these keys are ids, which have no line feed. */
function summed(columns: readonly string[], additions: readonly Addition[]): readonly Addition[] {
  const byKey = new Map<string, Addition>();
  for (const addition of additions) {
    const key = columns.map((column) => addition.key[column]).join('\n');
    const known = byKey.get(key);
    byKey.set(
      key,
      known === undefined ? addition : { key: known.key, added: plus(known.added, addition.added) },
    );
  }
  // In the order of the key: neighbours lie on the same pages.
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, addition]) => addition);
}

function plus(one: Addition['added'], other: Addition['added']): Addition['added'] {
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value + (other[name] ?? 0n)]));
}

import { type BooksCondition, between } from './conditions.ts';

/**
 * Tables of the books that can be taken away whole (docs/reporting.md has their columns). `shows`: by which
 * column it is known whose a row is; `time`: which one `from` and `to` are compared with.
 */
export const exportedTables = {
  contributions: { shows: 'brand', time: 'time', order: 'time' },
  wins: { shows: 'brand', time: 'time', order: 'time' },
  payments: { shows: 'brand', time: 'opened', order: 'opened' },
  payment_changes: { shows: 'brand', time: 'time', order: null },
  opt_ins: { shows: 'brand', time: 'updated', order: null },
  opt_in_changes: { shows: 'brand', time: 'time', order: null },
  tickets: { shows: 'brand', time: 'time', order: null },
  daily_totals: { shows: 'brand', time: 'day', order: 'day' },
  daily_players: { shows: 'brand', time: 'day', order: 'day' },
  instances: { shows: 'operator', time: 'updated', order: null },
  entries: { shows: 'operator', time: 'time', order: null },
  statuses: { shows: 'operator', time: 'time', order: 'time' },
  parameter_changes: { shows: 'operator', time: 'time', order: 'time' },
  daily_balances: { shows: 'instance', time: 'day', order: null },
} as const;

export type ExportedTable = keyof typeof exportedTables;
export const exportedTableNames = Object.keys(exportedTables) as [ExportedTable, ...ExportedTable[]];

export const exportFormats = ['csv', 'ndjson'] as const;

/** What rows between two times meet; days are those that the times lie in. */
export function timesOf(
  table: ExportedTable,
  { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
): BooksCondition[] {
  const { time } = exportedTables[table];
  if (time !== 'day') return between(time, from, to);
  const dayBehind = to === undefined ? to : dayOf(to + dayMs - 1);
  return between(time, from === undefined ? from : dayOf(from), dayBehind);
}

const dayMs = 86_400_000;
/** The last day that four digits have. */
const lastMs = Date.UTC(9999, 11, 31);

function dayOf(timeMs: number): string {
  return new Date(Math.min(timeMs, lastMs)).toISOString().slice(0, 10);
}

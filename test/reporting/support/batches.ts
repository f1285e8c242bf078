import type { ColumnKind } from '../../../src/reporting/base/columns.ts';
import type { LaneBatch } from '../../../src/reporting/base/lane-batch.ts';
import { type BooksTable, type RowOf, type TableShape, tables } from '../../../src/reporting/base/tables.ts';
import { systemId } from './places.ts';

export const noon = Date.UTC(2026, 10, 28, 12);
export const dayMs = 86_400_000;

/** A batch of lane 0 up to a message, after another; empty but for what is given. */
export function batchTo(sequence: number, after: number, given: Partial<LaneBatch> = {}): LaneBatch {
  const position = { lane: 0, sequence, timestampMs: noon + sequence, head: `head-${sequence}`, systemId };
  return {
    ...{ lane: 0, after, position, rows: {}, dailyTotals: [], players: [], movements: [], openings: [] },
    ...given,
  };
}

const plain: Readonly<Record<ColumnKind, unknown>> = {
  integer: 0,
  amount: 0n,
  sum: 0n,
  text: '',
  time: noon,
  day: '2026-11-28',
  boolean: false,
  json: {},
  hex: '00',
};

/** A row with nothing but what is given: other values are 0, empty or not there. */
export function rowWith<T extends BooksTable>(name: T, given: Partial<RowOf<T>>): RowOf<T> {
  const { columns }: TableShape = tables[name];
  const row = Object.entries(columns).map(([column, { kind, isNullable }]) => [
    column,
    isNullable ? null : plain[kind],
  ]);
  return { ...Object.fromEntries(row), ...given } as unknown as RowOf<T>;
}

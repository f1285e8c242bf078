import fc from 'fast-check';
import { maxAmountAtoms } from '../../../src/lib/money.ts';
import type { Column, ColumnKind } from '../../../src/reporting/base/columns.ts';
import { type BooksTable, type RowOf, type TableShape, tables } from '../../../src/reporting/base/tables.ts';

/** Rows with the largest and the oddest values that a column takes. */

const maxSumAtoms = 10n ** 52n;
const maxTimeMs = 8_640_000_000_000_000;
const oddTexts = [
  ...['', ' ', 'NULL', '{}', '{"a","b"}', '"', '\\', "'", '\\"', ',', '$1', '?', '\n\r\t', '%', '_'],
  ...['a\0b', '\0', '\ud800', 'a\udfffb', '😀'.repeat(128), 'é', 'e\u0301', '\u2028', '\ufeff', '=1+1'],
];
const odd = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 40 }));

const values: Readonly<Record<ColumnKind, fc.Arbitrary<unknown>>> = {
  integer: fc.oneof(
    fc.constantFrom(0, -1, 1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER),
    fc.maxSafeInteger(),
  ),
  amount: fc.oneof(
    fc.constantFrom(0n, 1n, -1n, maxAmountAtoms, -maxAmountAtoms, 100_000_000n),
    fc.bigInt(-maxAmountAtoms, maxAmountAtoms),
  ),
  sum: fc.oneof(
    fc.constantFrom(0n, 2n ** 63n, -(2n ** 63n), 2n ** 64n, maxSumAtoms, -maxSumAtoms),
    fc.bigInt(-maxSumAtoms, maxSumAtoms),
  ),
  text: odd,
  time: fc.oneof(fc.constantFrom(0, 1, 999, maxTimeMs), fc.integer({ min: 0, max: 4_102_444_800_000 })),
  day: fc
    .integer({ min: 0, max: 60_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10)),
  boolean: fc.boolean(),
  json: fc.oneof(
    fc.constantFrom({}, [], { a: null }, { 'mega.current': '0.05', house: '-0.05' }),
    fc.dictionary(odd, fc.oneof(odd, fc.integer(), fc.boolean(), fc.constant(null), fc.array(odd))),
  ),
  hex: fc.uint8Array({ maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
};

export function randomRow<T extends BooksTable>(name: T): fc.Arbitrary<RowOf<T>> {
  const { columns }: TableShape = tables[name];
  const shape = Object.fromEntries(
    Object.entries(columns).map(([column, given]) => [column, randomValue(given)] as const),
  );
  return fc.record(shape) as unknown as fc.Arbitrary<RowOf<T>>;
}

function randomValue({ kind, isNullable }: Column): fc.Arbitrary<unknown> {
  return isNullable ? fc.option(values[kind], { nil: null, freq: 3 }) : values[kind];
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EndlessRecordError,
  firstPlace,
  type RawRecord,
  RecordCutter,
} from '../../../src/lib/csv/record-cutter.ts';
import { knownSeparators, readTableHeader, readTableRows } from '../../../src/lib/csv/table.ts';

function recordsOf(bytes: Buffer, separator: string, sizes: readonly number[] = [bytes.length]): RawRecord[] {
  const cutter = new RecordCutter(firstPlace, separator);
  const records: RawRecord[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    records.push(...cutter.cut(bytes.subarray(at, at + size)));
    at += size;
  }
  return [...records, ...cutter.end()];
}

const separators = fc.constantFrom(...knownSeparators);
const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('what is cut from a table', () => {
  it('are the rows that were written, whatever they are separated by and wherever lines end', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', '\n', '\r', ',', ';', '\t', ' ', 'é'),
      maxLength: 5,
    });
    const row = fc.record({ cells: fc.array(cell, { minLength: 2, maxLength: 2 }), lineEnd: lineEnds });
    fc.assert(
      fc.property(fc.array(row), separators, (rows, separator) => {
        const text = rows.map(({ cells, lineEnd }) => cells.map(quoted).join(separator) + lineEnd).join('');
        const read = readTableRows(recordsOf(Buffer.from(text), separator), { names: ['a', 'b'], separator });
        expect(read).toEqual(rows.map(({ cells }) => (cells.join('').trim() === '' ? [] : cells)));
      }),
    );
  });

  it('is the same in chunks of any size, and has each line once, also of what is no CSV', () => {
    const bytes = fc
      .array(fc.constantFrom(0x61, 0x22, 0x22, 0x0a, 0x0d, 0x2c, 0x20, 0xa0, 0xc3, 0xa9), { maxLength: 60 })
      .map((codes) => Buffer.from(codes));
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 });
    fc.assert(
      fc.property(bytes, sizes, (text, chunkSizes) => {
        const read = (chunks?: readonly number[]) => {
          try {
            const records = recordsOf(text, ',', chunks);
            return { records, rows: readTableRows(records, { names: ['a', 'b'], separator: ',' }) };
          } catch (error) {
            if (error instanceof EndlessRecordError) return error.message;
            throw error;
          }
        };
        const whole = read();
        expect(read(chunkSizes)).toEqual(whole);
        if (typeof whole === 'string') return;
        expect(whole.rows).toHaveLength(whole.records.length);
        let [line, offset] = [1, 0];
        for (const record of whole.records) {
          const between = text.subarray(offset, record.offset).toString('latin1');
          expect(between.trim()).toBe('');
          expect(record.line).toBe(line + (between.match(/\r\n|\r|\n/g)?.length ?? 0));
          ({ line, offset } = record.behind);
        }
        expect(text.subarray(offset).toString('latin1').trim()).toBe('');
      }),
      { numRuns: 500 },
    );
  });

  it('ends a quoted cell only at its quote, and quotes only where a cell begins', () => {
    const records = recordsOf(Buffer.from('"a\n",b\nc"d,e\n"f"g,h\n "i" ,j\n'), ',');
    expect(records.map(({ line }) => line)).toEqual([1, 3, 4, 5]);
    expect(readTableRows(records, { names: ['x', 'y'], separator: ',' })).toEqual([
      ['a\n', 'b'],
      null,
      null,
      ['i', 'j'],
    ]);
  });
});

describe('a header', () => {
  const header = (text: string) => readTableHeader(recordsOf(Buffer.from(text), knownSeparators)[0]!);

  it.each([
    ['a,b', ['a', 'b'], ','],
    ['a;b\n', ['a', 'b'], ';'],
    ['\uFEFF"a"\t"b"\r\n', ['a', 'b'], '\t'],
    ['a;"b,c,d,e"', ['a', 'b,c,d,e'], ';'],
    ['a,b (c;d),e', ['a', 'b (c;d)', 'e'], ','],
    ['a', ['a'], ','],
    ['a,b,,,', ['a', 'b'], ','],
  ])('%j has names and a separator', (text, names, separator) => {
    expect(header(text)).toEqual({ names, separator });
  });

  it('may be none', () => {
    expect(header('a"b,c')).toBeNull();
  });
});

it('cells beyond the header may be empty, and too few stay too few', () => {
  const rows = readTableRows(recordsOf(Buffer.from('1,2,,\n1,,\n1\n,\n1,2,3\n'), ','), {
    names: ['a', 'b'],
    separator: ',',
  });
  expect(rows).toEqual([['1', '2'], ['1', ''], ['1'], [], ['1', '2', '3']]);
});

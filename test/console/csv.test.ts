import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf } from '../../console/src/parts/csv.ts';

const read = (text: string) => parse(text, { bom: true, record_delimiter: '\r\n' }) as string[][];
const cellOf = (text: string) => read(csvOf(['a'], [[text]]))[1]?.[0];

describe('an exported file', () => {
  it.each([
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    ' =1+1',
    '\t=1+1',
    '\r\n=cmd|x',
    '\u{feff}=1+1',
    '＝1+1',
    '＋1',
    '－1+1',
    '＠x',
    "'=1+1",
    '=HYPERLINK("https://x.example","y")',
  ])('calculates nothing of %j', (text) => expect(cellOf(text)).toBe(`'${text}`));

  it.each(['-1', '-1.50', '12345678901234567890.12', 'demo:main', 'a=b', '', '2026-11-29T10:00:00.000Z'])(
    'leaves %j as it is',
    (text) => expect(cellOf(text)).toBe(text),
  );

  it('has whatever was in the cells, but for the apostrophe', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\r', '\n', '\r\n', '=', "'", ';', '\u{202e}'),
    });
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (rows) => {
        const shown = read(csvOf(['one', 'two'], rows));
        expect(shown[0]).toEqual(['one', 'two']);
        for (const [index, row] of rows.entries())
          for (const [column, cell] of row.entries())
            expect([cell, `'${cell}`]).toContain(shown[index + 1]?.[column]);
      }),
    );
  });
});

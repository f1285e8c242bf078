import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readExactJson } from '../../src/lib/exact-json.ts';

it.each([
  ['{"a":1.5}', { a: 1.5 }],
  ['{"a":123456789012345}', { a: 123456789012345 }],
  ['{"a":79999999999.99999999}', { a: '79999999999.99999999' }],
  ['[-1234567890123456.50]', ['-1234567890123456.5']],
  ['{"a":0.10000000000000000000}', { a: 0.1 }],
  ['{"a":99.99999999999999,"b":0.30000000000000004}', { a: 99.99999999999999, b: 0.30000000000000004 }],
  ['{"a":"12345678901234567890"}', { a: '12345678901234567890' }],
  [
    '{"a":"\\"12345678901234567890","b":12345678901234567890}',
    { a: '"12345678901234567890', b: '12345678901234567890' },
  ],
  ['{"a":1.2345678901234567e5}', { a: 123456.78901234567 }],
])('reads %s', (text, value) => {
  expect(readExactJson(text)).toEqual(value);
});

it.each([
  '{"a":12345678901234567890',
  '{"a":1234567890123456789-}',
  '{"a":12345678901234567890.}',
  '12345678901234567890 1',
])('refuses %s', (text) => {
  expect(() => readExactJson(text)).toThrow(SyntaxError);
});

it('reads everything else as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value, (_, one) => (typeof one === 'number' ? Math.trunc(one % 1e9) : one));
      expect(readExactJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

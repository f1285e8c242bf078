import { describe, expect, test } from 'vitest';
import {
  brandRates,
  defaultRates,
  readPlainBrandRates,
  readPlainDefaultRates,
} from '../../../src/contracts/directory/currency.ts';

const multipliers = ['1', '0.1', '1.5', '123456789012345.000000000000000001', 0.25, 7, 1e21, 1e-7, 5e-324];
const odd = [
  '0',
  '0.0',
  '01',
  '1.',
  '.5',
  '1.50',
  '-1',
  '1e3',
  '',
  ' 1',
  '１',
  0,
  -0,
  -1,
  Number.MAX_VALUE,
  null,
  true,
  [1],
  {},
];
const long = [
  '9'.repeat(15),
  '9'.repeat(16),
  '1000000000000000',
  `0.${'0'.repeat(17)}1`,
  `0.${'0'.repeat(18)}1`,
];
const tables: unknown[] = [
  ...[...multipliers, ...odd, ...long].map((value) => ({ USD: '2', XTS: value })),
  ...['USD', 'A', 'usd', 'TOOLONGACODE1', 'US D', 'ÄÖ', 'X9', '12'].map((currency) => ({ [currency]: 1 })),
  ...[999, 1_000, 1_001].map(tableOf),
  ...[{}, [], null, undefined, 'USD', 1, ['1']],
];
const exponents: unknown[] = [
  ...[0, 8, 9, -1, -0, 0.5, '2', null, 2 ** 53].map((value) => ({ XTS: value })),
  ...[{}, [], null, undefined, 'x', { x: 1 }],
];
const others: readonly object[] = [
  ...[{}, { brand_id: 'acme:main' }, { brand_id: null }, { brand_id: 1 }, { more: 1 }],
  ...[{ base_currency: 'EUR' }, { base_currency: 'eur' }, { base_currency: null }, { base_currency: 1 }],
];
const bodies: unknown[] = [
  ...[null, undefined, [], 'text', 1],
  ...others.flatMap((other) => [
    ...tables.map((table) => ({ ...other, multipliers: table })),
    ...exponents.map((table) => ({ ...other, multipliers: { XTS: 1 }, exponents: table })),
    other,
  ]),
];

function tableOf(size: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => [`C${index}`, 1 + index]));
}

describe.each([
  ["a brand's table", readPlainBrandRates, brandRates],
  ['the default table', readPlainDefaultRates, defaultRates],
])('%s', (_name, read, shape) => {
  test('is read as its shape reads it, or left to it', () => {
    let plain = 0;
    for (const body of bodies) {
      const quick = read(body);
      if (quick === null) continue;
      plain += 1;
      expect(quick).toEqual(shape.parse(body));
    }
    expect(plain).toBeGreaterThan(15);
  });

  test('is plain where a tenant sends a thousand usual rates', () => {
    const body = { base_currency: 'EUR', multipliers: tableOf(1_000), exponents: tableOf(8) };
    const { base_currency, ...ofBrand } = body;
    expect(read(shape === defaultRates ? body : ofBrand)).not.toBeNull();
    expect(base_currency).toBe('EUR');
  });
});

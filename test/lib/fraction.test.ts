import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addFractions,
  compareFractions,
  floorMultiply,
  formatFraction,
  isPositiveFraction,
  parseFraction,
} from '../../src/lib/fraction.ts';

describe('a fraction', () => {
  it.each([
    ['0.25', 9, '0.25'],
    ['1.000000000', 9, '1'],
    [1e-9, 9, '0.000000001'],
    [12.5e3, 9, '12500'],
    ['163.270000000000000001', 18, '163.270000000000000001'],
    [1 / 3, 9, '0.333333333'],
    [0.1234567895, 9, '0.12345679'],
    [0.1 + 0.2, 9, '0.3'],
    [4e-10, 9, '0'],
    [5e-324, 18, '0'],
    [1.1 * 3, 18, '3.3000000000000003'],
    [1e-19, 18, '0'],
    [1e40, 9, '1'.padEnd(41, '0')],
  ])('%s is read, to %s decimals', (value, decimals, text) => {
    expect(formatFraction(parseFraction(value, decimals)!)).toBe(text);
  });

  it.each([
    ['0.1234567891'],
    ['-0.1'],
    ['1e-3'],
    [-1],
    [-1e-20],
    [-0],
    [Number.NaN],
    [1e41],
    [null],
    [true],
    [['1']],
  ])('%s is not a share', (value) => {
    expect(parseFraction(value, 9)).toBeNull();
  });

  it('is known to be above zero as if it were read', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0019.'), maxLength: 24 });
    const odd = fc.constantFrom(
      '',
      '-1',
      '+1',
      '1e3',
      ' 1',
      '1\n',
      '0x1',
      '1'.repeat(64),
      '1'.repeat(65),
      null,
      1,
    );
    fc.assert(
      fc.property(fc.oneof(digits, odd), fc.constantFrom(9, 18), (value, decimals) => {
        const read = typeof value === 'string' ? parseFraction(value, decimals) : null;
        expect(isPositiveFraction(value, decimals)).toBe(read !== null && read.scaled > 0n);
      }),
      { numRuns: 2_000 },
    );
  });

  it('multiplies, adds and compares without error', () => {
    const share = fc.bigInt({ min: 0n, max: 10n ** 10n }).map((scaled) => ({ scaled, scale: 10n ** 9n }));
    fc.assert(
      fc.property(share, share, fc.bigInt({ min: 0n, max: 10n ** 19n }), (a, b, amount) => {
        expect(floorMultiply(amount, a)).toBe((amount * a.scaled) / a.scale);
        expect(compareFractions(addFractions(a, b), a)).toBe(b.scaled === 0n ? 0 : 1);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAmount, maxAmountAtoms, parseAmount } from '../../src/lib/money.ts';

describe('an amount', () => {
  it.each<readonly [number | string, bigint]>([
    [0, 0n],
    ['0', 0n],
    ['0.0', 0n],
    [0.1, 10_000_000n],
    [1e-8, 1n],
    [1.5e-7, 15n],
    [90_000_000_000, maxAmountAtoms],
    ['90000000000.00000000', maxAmountAtoms],
    [-2.5, -250_000_000n],
    ['-0.00000001', -1n],
    [1e10, 10n ** 18n],
    [-0, 0n],
    [0.1 + 0.2, 30_000_000n],
    [99.99999999999999, 10_000_000_000n],
    [0.000000005, 1n],
    [0.0000000049999999, 0n],
    [1.000000015, 100_000_002n],
    [12_345_678.123456789, 1_234_567_812_345_679n],
    [-0.000000005, -1n],
    [5e-324, 0n],
  ])('%s is %s atoms', (value, atoms) => {
    expect(parseAmount(value)).toEqual({ ok: true, atoms });
  });

  it.each<readonly [number | string, string]>([
    [Number.NaN, 'range'],
    [Number.POSITIVE_INFINITY, 'range'],
    ['-0', 'syntax'],
    ['-0.00', 'syntax'],
    ['1e3', 'syntax'],
    ['+1', 'syntax'],
    ['.5', 'syntax'],
    ['5.', 'syntax'],
    ['01', 'syntax'],
    [' 1', 'syntax'],
    ['', 'syntax'],
    ['1'.repeat(65), 'syntax'],
    ['0.123456789', 'precision'],
    ['0.100000000', 'precision'],
    [90_000_000_000.5, 'range'],
    ['90000000000.00000001', 'range'],
    [1e300, 'range'],
    [-1e21, 'range'],
  ])('%s is refused for its %s', (value, fault) => {
    expect(parseAmount(value)).toEqual({ ok: false, fault });
  });

  it('of a number is the decimal that names it, rounded half up', () => {
    fc.assert(
      fc.property(fc.double({ min: -9e10, max: 9e10, noNaN: true }), (value) => {
        const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
        const scaled = BigInt(digits.replace('.', '')) * 10n ** 400n;
        const places = 400 + (digits.split('.')[1] ?? '').length - Number(exponent) - 8;
        const atoms = (2n * scaled + 10n ** BigInt(places)) / (2n * 10n ** BigInt(places));
        expect(parseAmount(value)).toEqual({ ok: true, atoms: value < 0 ? -atoms : atoms });
      }),
    );
  });

  it('reads back what it has written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -maxAmountAtoms, max: maxAmountAtoms }), (atoms) => {
        expect(parseAmount(formatAmount(atoms))).toEqual({ ok: true, atoms });
      }),
    );
  });

  it('is written as its shortest exact decimal', () => {
    expect([0n, 1n, -1n, 10n ** 8n, 123_450_000n].map(formatAmount)).toEqual([
      '0',
      '0.00000001',
      '-0.00000001',
      '1',
      '1.2345',
    ]);
  });
});

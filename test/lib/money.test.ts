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
  ])('%s is %s atoms', (value, atoms) => {
    expect(parseAmount(value)).toEqual({ ok: true, atoms });
  });

  it.each<readonly [number | string, string]>([
    [Number.NaN, 'syntax'],
    [Number.POSITIVE_INFINITY, 'syntax'],
    [-0, 'syntax'],
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
    [1e-9, 'precision'],
    ['0.123456789', 'precision'],
    ['0.100000000', 'precision'],
    [90_000_000_000.5, 'range'],
    ['90000000000.00000001', 'range'],
    [1e300, 'range'],
    [-1e21, 'range'],
  ])('%s is refused for its %s', (value, fault) => {
    expect(parseAmount(value)).toEqual({ ok: false, fault });
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

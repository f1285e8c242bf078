import { describe, expect, it } from 'vitest';
import { readAmount } from '../../src/contracts/amount.ts';
import { maxAmountAtoms } from '../../src/lib/money.ts';

describe('an amount of a request', () => {
  it.each<readonly [number | string, bigint]>([
    [0.30000000000000004, 30_000_000n],
    [1e-300, 0n],
    [90_000_000_000, maxAmountAtoms],
    ['0.30000000', 30_000_000n],
  ])('%s is %s atoms', (value, atoms) => {
    expect(readAmount(value)).toEqual({ ok: true, atoms });
  });

  it.each<readonly [number | string, string]>([
    [-1e-300, 'amount_negative'],
    [-1e300, 'amount_negative'],
    ['-0.00000001', 'amount_negative'],
    ['0.300000000', 'amount_precision'],
    [90_000_000_000.00002, 'amount_out_of_range'],
    [Number.POSITIVE_INFINITY, 'amount_out_of_range'],
  ])('%s is refused with %s', (value, code) => {
    expect(readAmount(value)).toEqual({ ok: false, code });
  });
});

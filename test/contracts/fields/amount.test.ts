import { describe, expect, it } from 'vitest';
import { amountOfCell, readAmount } from '../../../src/contracts/fields/amount.ts';
import { maxAmountAtoms } from '../../../src/lib/money.ts';

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

describe('an amount in a cell of CSV', () => {
  it.each<readonly [string, bigint]>([
    ['1.50', 150_000_000n],
    ['79999999999.99999999', 7_999_999_999_999_999_999n],
    ['0.30000000000000004', 30_000_000n],
    ['0.100000000', 10_000_000n],
  ])('%s is %s atoms', (cell, atoms) => {
    expect(readAmount(amountOfCell(cell))).toEqual({ ok: true, atoms });
  });

  it.each<readonly [string, string]>([
    ['-0.000000001', 'amount_negative'],
    ['-0', 'invalid_request'],
    ['1,50', 'invalid_request'],
    ['01', 'invalid_request'],
    ['.5', 'invalid_request'],
    ['', 'invalid_request'],
    ['Infinity', 'invalid_request'],
    ['1E-05', 'invalid_request'],
    ['90000000000.00000001', 'amount_out_of_range'],
    ['90000000000.000099999', 'amount_out_of_range'],
  ])('%s is refused with %s', (cell, code) => {
    expect(readAmount(amountOfCell(cell))).toEqual({ ok: false, code });
  });
});

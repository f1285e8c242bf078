import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadModel } from '../../src/directory/read-model.ts';
import { currencyFault, exactMoney, playerMoney } from '../../src/directory/shown-money.ts';
import { minorUnitAtoms, minorUnitExponent } from '../../src/lib/currencies.ts';
import { formatAmount } from '../../src/lib/money.ts';

const currencies = ['EUR', 'USD', 'JPY', 'KWD'];
const multiplier = fc
  .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 4 }))
  .map(([digits, scale]) => ({
    text: formatAmount(BigInt(digits) * 10n ** BigInt(8 - scale)),
    digits,
    scale,
  }));
const atoms = fc.bigInt({ min: 0n, max: 9n * 10n ** 18n });

describe('what a player is shown', () => {
  it('is never above the exact value, less than a minor unit below it, and whole minor units', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.constantFrom(...currencies),
        multiplier,
        multiplier,
        atoms,
        (from, to, fromRate, toRate, amount) => {
          const readModel = withRates({ [from]: fromRate.text, [to]: toRate.text });
          const shown = playerMoney(readModel, 'demo:main', to).show(amount, from);
          expect(shown.currency).toBe(to);
          const unit = minorUnitAtoms(minorUnitExponent(to) ?? 8);
          expect(shown.atoms % unit).toBe(0n);
          // amount · m[to] / m[from] as a fraction, without rounding.
          const numerator =
            from === to ? amount : amount * BigInt(toRate.digits) * 10n ** BigInt(fromRate.scale);
          const denominator = from === to ? 1n : BigInt(fromRate.digits) * 10n ** BigInt(toRate.scale);
          expect(shown.atoms * denominator <= numerator).toBe(true);
          expect((shown.atoms + unit) * denominator > numerator).toBe(true);
        },
      ),
    );
  });

  it('stays in its own currency, rounded down, where no rate is known', () => {
    const money = playerMoney(withRates({ EUR: '1' }), 'demo:main', 'EUR');
    expect(money.show(1_23456789n, 'CHF')).toEqual({ atoms: 1_23000000n, currency: 'CHF' });
    expect(money.show(1_23456789n, 'XYZ')).toEqual({ atoms: 1_23456789n, currency: 'XYZ' });
  });

  it('is exact for services', () => {
    expect(exactMoney.show(1n, 'JPY')).toEqual({ atoms: 1n, currency: 'JPY' });
  });
});

describe('the currency of a query', () => {
  const readModel = withRates({ EUR: '1', GEMS: '5' }, { GEMS: 0 });

  it.each([
    ['EUR', null],
    ['GEMS', null],
    ['CHF', 'currency_not_supported'],
    ['XYZ', 'currency_unknown'],
    ['toString', 'currency_unknown'],
    ['eur', 'currency_unknown'],
  ])('%s: %s', (currency, fault) => {
    expect(currencyFault(readModel, 'demo:main', currency)).toBe(fault);
  });

  it('shows a currency outside ISO 4217 with the exponent of its table', () => {
    expect(playerMoney(readModel, 'demo:main', 'GEMS').show(1_99000000n, 'EUR').atoms).toBe(9_00000000n);
  });
});

function withRates(multipliers: Record<string, string>, exponents: Record<string, number> = {}): ReadModel {
  const readModel = new ReadModel(1);
  const entry = {
    kind: 'rates' as const,
    brand: '',
    version: 1,
    base_currency: 'EUR',
    multipliers,
    exponents,
    updated: 1,
  };
  readModel.directoryChanged({ kind: 'set', entry }, 1);
  return readModel;
}

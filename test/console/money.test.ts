import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactJson } from '../../console/src/api/exact-json.ts';
import { amountText, sumOf } from '../../console/src/parts/decimals.ts';
import { groupsOf } from '../../console/src/screens/home/waiting.ts';

/** Amounts as they come: whole part of any length, and up to eight places. */
const amounts = fc
  .tuple(
    fc.boolean(),
    fc.bigInt(0n, 10n ** 30n),
    fc.bigInt(0n, 10n ** 8n - 1n),
    fc.integer({ min: 0, max: 8 }),
  )
  .map(([isNegative, whole, fraction, places]) => {
    const digits = fraction.toString().padStart(8, '0').slice(0, places);
    return `${isNegative ? '-' : ''}${whole}${digits === '' ? '' : `.${digits}`}`;
  });

describe('numbers of an answer', () => {
  it('keep every digit', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const { value } = JSON.parse(exactJson(`{"value":${amount}}`)) as { value: string | number };
        // A double of at most fifteen digits is exact.
        expect(String(value)).toBe(/^-0+$/.test(amount) ? '0' : amount);
      }),
    );
  });

  it('are numbers where a double is exact, and text stays what it is', () => {
    const text = String.raw`{"a":12,"b":1.10,"c":-90071992547409931,"d":"1.10 \" 2.20","e":[1e3,0],"f":null,"\\":"\\\\","g":"\\\"3.3"}`;
    expect(JSON.parse(exactJson(text))).toEqual({
      a: 12,
      b: '1.10',
      c: '-90071992547409931',
      d: '1.10 " 2.20',
      e: ['1e3', 0],
      f: null,
      '\\': '\\\\',
      g: '\\"3.3',
    });
  });

  it('change nothing else of an answer', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), (value) => {
        const text = JSON.stringify(value);
        const unquoted = (json: string) => json.replaceAll(/"(-?[\d.]+(?:e[+-]?\d+)?)"/gi, '$1');
        expect(unquoted(JSON.stringify(JSON.parse(exactJson(text))))).toBe(unquoted(JSON.stringify(value)));
      }),
    );
  });
});

describe('sums of money', () => {
  it('are exact', () => {
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 20 }), (all) => {
        const total = all.reduce((sum, each) => sum + atoms(each), 0n);
        expect(atoms(sumOf(all))).toBe(total);
      }),
    );
    expect(sumOf([0.1, '0.2', '-0.30'])).toBe('0.00');
    expect(sumOf([])).toBe('0');
  });

  it('are refused of what is no amount', () => {
    for (const wrong of ['', '1e3', 'NaN', '1,5', '.5', '0x1'])
      expect(() => sumOf([wrong])).toThrow(RangeError);
  });
});

describe('payments that wait', () => {
  it('never add what players get to what they pay, nor one currency to another', () => {
    const row = (kind: string, paid_amount: string, paid_currency: string, age_ms: number) => ({
      ...{ state: 'unknown', kind, paid_amount, paid_currency, age_ms },
    });
    const rows = [
      row('main', '30.91', 'EUR', 5),
      row('debit', '1.50', 'EUR', 7),
      row('raffle', '0.09', 'EUR', 9),
      row('community', '2', 'GBP', 1),
    ];
    expect(
      groupsOf(rows).map(({ side, currency, count, amount, oldestMs }) => [
        ...[side, currency, count, amount, oldestMs],
      ]),
    ).toEqual([
      ['To players', 'EUR', 2, '31.00', 9],
      ['From players', 'EUR', 1, '1.50', 7],
      ['To players', 'GBP', 1, '2', 1],
    ]);
  });
});

describe('money that is shown', () => {
  it.each(['en', 'de', 'fr', 'sv'])('has all of its digits: %s', (locale) => {
    const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal');
    fc.assert(
      fc.property(amounts, fc.constantFrom('EUR', 'JPY', 'KWD', 'BTC'), (amount, currency) => {
        const [whole = '', fraction = ''] = amountText(amount, currency, locale).split(decimal?.value ?? '.');
        const shown = `${whole.replaceAll(/[^\d]/g, '')}.${fraction}`;
        const [ownWhole = '', ownFraction = ''] = amount.replace('-', '').split('.');
        expect(shown.replace(/\.?0*$/, '')).toBe(`${ownWhole}.${ownFraction}`.replace(/\.?0*$/, ''));
        expect(fraction.length).toBeGreaterThanOrEqual(ownFraction.length);
      }),
    );
  });

  it('has the places of its currency, and more where there are more', () => {
    expect(amountText('5', 'EUR', 'en')).toBe('5.00');
    expect(amountText('5', 'JPY', 'en')).toBe('5');
    expect(amountText('5.00000001', 'JPY', 'en')).toBe('5.00000001');
    expect(amountText('-1234567890123456789.123', 'KWD', 'en')).toBe('-1,234,567,890,123,456,789.123');
    expect(amountText('1', '<b>', 'en')).toBe('1.00');
  });
});

function atoms(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(8, '0'));
  return amount.startsWith('-') ? -value : value;
}

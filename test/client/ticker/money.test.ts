import { describe, expect, it } from 'vitest';
import { knownLocale, moneyFormat } from '../../../client/src/ticker/money.ts';

/** Without the marks of direction, and with plain spaces. */
function shown(locale: string, currency: string, decimal: string): string {
  const format = moneyFormat(locale, currency);
  const cells = format.cells(format.units(decimal)!);
  const text = cells
    .map((cell) => (cell.kind === 'digit' ? format.numerals[cell.digit] : cell.text))
    .join('');
  expect(format.text(format.units(decimal)!).replace(/[\u061c\u200e\u200f]/g, '')).toBe(text);
  return text.replace(/[\u00a0\u202f]/g, ' ');
}

describe('an amount of money', () => {
  it.each([
    ['en', 'EUR', '1234.5', '€1,234.50'],
    ['en', 'EUR', '0', '€0.00'],
    ['de', 'EUR', '1234.56', '1.234,56 €'],
    ['ja', 'JPY', '123456', '￥123,456'],
    ['en', 'KWD', '1234.567', 'KWD 1,234.567'],
    ['en-IN', 'INR', '12345678.9', '₹1,23,45,678.90'],
    ['ar-EG', 'EGP', '1234.5', '١٬٢٣٤٫٥٠ ج.م.'],
    ['hi-IN-u-nu-deva', 'INR', '1234.5', '₹१,२३४.५०'],
    ['bn', 'BDT', '1234.5', '১,২৩৪.৫০৳'],
    ['en', 'COINS', '1234.5', '1,234.50 COINS'],
  ])('in %s and %s', (locale, currency, decimal, text) => {
    expect(shown(locale, currency, decimal)).toBe(text);
  });

  it('keeps every digit of amounts that no float holds', () => {
    expect(shown('en', 'EUR', '999999999999.99')).toBe('€999,999,999,999.99');
    expect(shown('en', 'EUR', '12345678901234567890.12')).toBe('€12,345,678,901,234,567,890.12');
  });

  it('is rounded down: never more than there is', () => {
    expect(shown('en', 'EUR', '0.99999999')).toBe('€0.99');
    expect(shown('en', 'JPY', '99.99')).toBe('¥99');
  });

  it.each(['', '-1', '1e3', 'NaN', '1.', '.5', '1,5', '٣'])('is none: %j', (decimal) => {
    expect(moneyFormat('en', 'EUR').units(decimal)).toBe(null);
  });

  it.each([
    ['en', 'EUR', false],
    ['ar-EG', 'EGP', true],
    ['he', 'ILS', true],
    ['hi-IN-u-nu-deva', 'INR', false],
  ])('is written from right to left where its language does: %s', (locale, currency, rightToLeft) => {
    expect(moneyFormat(locale, currency).rightToLeft).toBe(rightToLeft);
  });

  it('takes the first locale that is one', () => {
    expect(knownLocale('no such locale', 'x', null, 'de-at', 'en')).toBe('de-AT');
    expect(knownLocale(undefined, '')).toBe('en');
  });
});

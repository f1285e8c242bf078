import { floorDecimal } from './decimal.ts';

const formats = new Map<string, Intl.NumberFormat>();
/** More currencies than any table of rates here has; then the cache starts again. */
const maxFormats = 200;

/** Decimals of a currency's minor unit: JPY 0, EUR 2, KWD 3. */
export function minorDigits(currency: string): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/** An amount as text, floored to the currency's minor unit. */
export function formatMoney(atoms: bigint, currency: string): string {
  return formatOf(currency).format(shownDecimal(atoms, currency));
}

/** The number of `formatMoney`, as `moneyFormat` takes it. */
export function shownDecimal(atoms: bigint, currency: string): Intl.StringNumericLiteral {
  return floorDecimal(atoms, minorDigits(currency)) as Intl.StringNumericLiteral;
}

/** A currency of the operator's own has no symbol: only its number is written. */
export function moneyFormat(currency: string) {
  try {
    new Intl.NumberFormat('en', { style: 'currency', currency });
    return { style: 'currency', currency } as const;
  } catch {
    return { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
  }
}

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known !== undefined) return known;
  if (formats.size >= maxFormats) formats.clear();
  const made = new Intl.NumberFormat('en', moneyFormat(currency));
  formats.set(currency, made);
  return made;
}

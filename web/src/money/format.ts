import { floorDecimal } from './decimal.ts';

const formats = new Map<string, Intl.NumberFormat>();
/** More currencies than any table of rates here has; then the cache starts again. */
const maxFormats = 200;

/** Decimals of a currency's minor unit: JPY 0, EUR 2, KWD 3. */
export function minorDigits(currency: string): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

export interface MoneyPart {
  readonly kind: 'symbol' | 'digit' | 'mark' | 'fraction';
  readonly text: string;
}

/** An amount as text, floored to the currency's minor unit. */
export function formatMoney(atoms: bigint, currency: string): string {
  return formatOf(currency).format(shown(atoms, currency));
}

/** The same, cut where a rolling number needs it: one part a digit. */
export function moneyParts(atoms: bigint, currency: string): MoneyPart[] {
  const parts: MoneyPart[] = [];
  for (const part of formatOf(currency).formatToParts(shown(atoms, currency))) {
    if (part.type === 'integer') for (const text of part.value) parts.push({ kind: 'digit', text });
    else if (part.type === 'fraction') for (const text of part.value) parts.push({ kind: 'fraction', text });
    else if (part.type === 'currency') parts.push({ kind: 'symbol', text: part.value });
    else if (part.type === 'decimal') parts.push({ kind: 'mark', text: part.value });
    else parts.push({ kind: 'mark', text: part.value });
  }
  return parts;
}

function shown(atoms: bigint, currency: string): Intl.StringNumericLiteral {
  return floorDecimal(atoms, minorDigits(currency)) as Intl.StringNumericLiteral;
}

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known !== undefined) return known;
  if (formats.size >= maxFormats) formats.clear();
  const made = makeFormat(currency);
  formats.set(currency, made);
  return made;
}

/** A currency of the operator's own has no symbol: its code stands before the number. */
function makeFormat(currency: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency });
  } catch {
    return new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  }
}

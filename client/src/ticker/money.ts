/** Amounts as text, exact: decimal strings become whole minor units, and no floating point is between. */

/** One place of an amount: a digit, which can roll, or what stands beside digits. */
export type Cell =
  | { readonly kind: 'digit'; readonly digit: number }
  | { readonly kind: 'symbol'; readonly part: string; readonly text: string };

export interface MoneyFormat {
  /** '0' to '9' as the locale writes them. */
  readonly numerals: readonly string[];
  /** The number is left of what follows it, where the locale is written from right to left. */
  readonly rightToLeft: boolean;
  /** Minor units of a decimal string, rounded down: what is shown is never more than what is there; null: it is none. */
  units(decimal: string): bigint | null;
  cells(units: bigint): readonly Cell[];
  text(units: bigint): string;
}

/** Beyond any amount of the service, which has 20 digits before the point. */
const decimalText = /^(\d{1,30})(?:\.(\d{1,30}))?$/;
const rightToLeftText = /[\u061c\u200f]|[\u0590-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufefc]/;
const invisible = /[\u061c\u200e\u200f]/g;

export function moneyFormat(locale: string, currency: string): MoneyFormat {
  const format = formatOf(locale, currency);
  const places = format.resolvedOptions().maximumFractionDigits ?? 2;
  const scale = 10n ** BigInt(places);
  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const numerals = Array.from({ length: 10 }, (_, digit) => plain.format(digit));

  const parts = (units: bigint) => {
    const fraction = [...String(units % scale).padStart(places, '0')].map((digit) => numerals[Number(digit)]);
    return format
      .formatToParts(units / scale)
      .map(({ type, value }) => ({ type, value: type === 'fraction' ? fraction.join('') : value }));
  };
  const signs = parts(0n).filter(({ type }) => type !== 'integer' && type !== 'fraction');
  return {
    numerals,
    rightToLeft: signs.some(({ value }) => rightToLeftText.test(value)),
    units(decimal) {
      const [, whole, fraction = ''] = decimalText.exec(decimal) ?? [];
      return whole === undefined ? null : BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
    },
    cells: (units) => parts(units).flatMap(({ type, value }) => cellsOf(type, value, numerals)),
    text: (units) =>
      parts(units)
        .map(({ value }) => value)
        .join(''),
  };
}

/** A locale that browsers know: the first of these that is one. */
export function knownLocale(...wanted: readonly (string | null | undefined)[]): string {
  for (const locale of wanted) {
    try {
      if (locale) return Intl.getCanonicalLocales(locale)[0] ?? 'en';
    } catch {
      // A page's `lang` may be anything.
    }
  }
  return 'en';
}

interface Format {
  resolvedOptions(): Intl.ResolvedNumberFormatOptions;
  formatToParts(value: bigint): readonly { readonly type: string; readonly value: string }[];
}

/** A currency of the operator's own has no symbol: its code stands beside the number. */
function formatOf(locale: string, currency: string): Format {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency });
  } catch {
    const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const code = [
      { type: 'literal', value: '\u00a0' },
      { type: 'currency', value: currency },
    ];
    return {
      resolvedOptions: () => format.resolvedOptions(),
      formatToParts: (value) => [...format.formatToParts(value), ...code],
    };
  }
}

function cellsOf(part: string, value: string, numerals: readonly string[]): readonly Cell[] {
  if (part === 'integer' || part === 'fraction')
    return [...value].map((character) => ({ kind: 'digit', digit: numerals.indexOf(character) }));
  const text = value.replace(invisible, '');
  return text === '' ? [] : [{ kind: 'symbol', part, text }];
}

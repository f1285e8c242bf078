/** An amount as the service sends it: a number where a double is exact, else text. */
export type Amount = string | number;

/** The exact sum. */
export function sumOf(amounts: readonly Amount[]): string {
  const places = Math.max(0, ...amounts.map((each) => partsOf(each).fraction.length));
  const total = amounts.reduce((sum, each) => sum + scaled(each, places), 0n);
  const digits = (total < 0n ? -total : total).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places);
  return `${total < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function scaled(amount: Amount, places: number): bigint {
  const { negative, whole, fraction } = partsOf(amount);
  const value = BigInt(whole + fraction.padEnd(places, '0'));
  return negative ? -value : value;
}

function partsOf(amount: Amount) {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  if (whole === undefined) throw new RangeError(`${amount} is no amount.`);
  return { negative: sign === '-', whole, fraction };
}

/** As people write it, with all of its digits. */
export function amountText(amount: Amount, currency: string, locale?: string): string {
  const { fraction } = partsOf(amount);
  if (fraction.length > maxDigits) return String(amount);
  const format = formatOf(Math.max(digitsOf(currency), fraction.length), locale);
  return format.format(String(amount) as `${number}`);
}

/** The same, with its currency. */
export function moneyText(amount: Amount, currency: string, locale?: string): string {
  return `${amountText(amount, currency, locale)} ${currency}`;
}

const maxDigits = 20;
/** Making one takes longer than drawing a row of a list. */
const formats = new Map<string, Intl.NumberFormat>();
const digitsBy = new Map<string, number>();

function formatOf(minimumFractionDigits: number, locale: string | undefined): Intl.NumberFormat {
  const key = `${minimumFractionDigits} ${locale ?? ''}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits: maxDigits });
  formats.set(key, format);
  return format;
}

function digitsOf(currency: string): number {
  const digits = digitsBy.get(currency) ?? minorDigits(currency);
  digitsBy.set(currency, digits);
  return digits;
}

function minorDigits(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().minimumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

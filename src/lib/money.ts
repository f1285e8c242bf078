/** Integers of 1e-8 of a currency's major unit, as `bigint`. */
export const atomsPerUnit = 100_000_000n;

/** The largest amount and balance of an inside account: 9·10^10 units, which fits a signed 64-bit integer. */
export const maxAmountAtoms = 9n * 10n ** 18n;

/** No payment is larger: the largest balance, converted between the highest multiplier and the lowest. */
export const maxPaidAtoms = 10n ** 52n;

const atomDigits = 8;
const maxStringLength = 64;
const maxShortUnits = 7;
const maxPlainAtoms = BigInt(Number.MAX_SAFE_INTEGER);
const plainAtomsPerUnit = Number(atomsPerUnit);
const powersOfTen = Array.from({ length: atomDigits + 1 }, (_, power) => 10 ** power);
/** Its code, from that of the digit zero. */
const dot = 0x2e - 0x30;

type ParsedAmount =
  | { readonly ok: true; readonly atoms: bigint }
  | { readonly ok: false; readonly fault: 'syntax' | 'precision' | 'range' };

/**
 * Reads an amount in atoms: a number as `atomsOfNumber` does, a string exactly. A string is plain: no
 * exponent, no sign but a leading `-`, not `-0` (docs/rules/money-and-currencies.md "Amounts"). Refuses with
 * `syntax`, `precision` (a string finer than an atom) or `range`: above `maxAtoms`, which is that of an
 * account, or more for what wallets pay.
 */
export function parseAmount(value: number | string, maxAtoms: bigint = maxAmountAtoms): ParsedAmount {
  if (typeof value === 'number') return atomsOfNumber(value, maxAtoms);
  if (typeof value !== 'string' || value.length > maxStringLength) return { ok: false, fault: 'syntax' };
  const atoms = shortAtoms(value);
  if (atoms >= 0) return { ok: true, atoms: BigInt(atoms) };
  const match = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(value);
  if (match === null) return { ok: false, fault: 'syntax' };
  return exactAtoms(match[1] === '-', match[2]!, match[3] ?? '', maxAtoms);
}

/** The atoms of a number's shortest decimal, half up; `range`: not finite, or above `maxAtoms`. */
function atomsOfNumber(value: number, maxAtoms: bigint = maxAmountAtoms): ParsedAmount {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/.exec(String(value));
  if (match === null) return { ok: false, fault: 'range' };
  const [, sign, units = '', decimals = '', exponent = '0'] = match;
  const magnitude = roundedDecimal(units + decimals, atomDigits + Number(exponent) - decimals.length);
  if (magnitude > maxAtoms) return { ok: false, fault: 'range' };
  return { ok: true, atoms: sign === '-' ? -magnitude : magnitude };
}

/** Atoms as the shortest exact decimal number of units: `1.5`, `-0.00000001`. */
export function formatAmount(atoms: bigint): string {
  if (atoms >= 0n && atoms <= maxPlainAtoms) return formatShort(Number(atoms));
  const negative = atoms < 0n;
  const digits = (negative ? -atoms : atoms).toString().padStart(atomDigits + 1, '0');
  const units = digits.slice(0, -atomDigits);
  const decimals = digits.slice(-atomDigits).replace(/0+$/, '');
  return `${negative ? '-' : ''}${units}${decimals === '' ? '' : `.${decimals}`}`;
}

/** The smaller of two amounts. */
export function lesserOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The larger of two amounts. */
export function greaterOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Atoms of at most seven digits and eight decimals, in which a double is exact; −1: another text. */
function shortAtoms(text: string): number {
  const { length } = text;
  let value = 0;
  let decimals = -1;
  for (let at = 0; at < length; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      if (decimals >= 0) decimals += 1;
      else if (at >= maxShortUnits || (at === 1 && value < 10)) return -1;
    } else if (digit === dot && decimals < 0 && at > 0) decimals = 0;
    else return -1;
  }
  if (length === 0 || decimals === 0 || decimals > atomDigits) return -1;
  return value * powersOfTen[decimals < 0 ? atomDigits : atomDigits - decimals]!;
}

function formatShort(atoms: number): string {
  const rest = atoms % plainAtomsPerUnit;
  const units = String((atoms - rest) / plainAtomsPerUnit);
  if (rest === 0) return units;
  const digits = String(plainAtomsPerUnit + rest);
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return `${units}.${digits.slice(1, end)}`;
}

function exactAtoms(negative: boolean, units: string, decimals: string, maxAtoms: bigint): ParsedAmount {
  const digits = BigInt(units + decimals);
  if (digits === 0n && negative) return { ok: false, fault: 'syntax' };
  // Trailing zeros count as digits, although they have no value.
  if (decimals.length > atomDigits) return { ok: false, fault: 'precision' };
  const atoms = digits * 10n ** BigInt(atomDigits - decimals.length);
  if (atoms > maxAtoms) return { ok: false, fault: 'range' };
  return { ok: true, atoms: negative ? -atoms : atoms };
}

/** The integer next to digits · 10^exponent, half up. */
export function roundedDecimal(digits: string, exponent: number): bigint {
  if (exponent >= 0) return BigInt(digits) * 10n ** BigInt(exponent);
  // Less than a tenth.
  if (exponent < -digits.length) return 0n;
  const unit = 10n ** BigInt(-exponent);
  return (BigInt(digits) + unit / 2n) / unit;
}

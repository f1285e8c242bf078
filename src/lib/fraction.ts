import { roundedDecimal } from './money.ts';

/** An exact decimal, never a float: scaled / scale, where scale is the smallest possible power of ten. */
export interface Fraction {
  readonly scaled: bigint;
  readonly scale: bigint;
}

/** Shares and percentages. */
export const shareDecimals = 9;
/** Currency multipliers. */
export const multiplierDecimals = 18;

const maxStringLength = 64;
const maxNumber = 1e40;
const decimalText = /^(?:0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Reads a decimal string of at most 64 characters and `maxDecimals` decimals exactly, or a number by the
 * shortest decimal that names it, rounded half up to `maxDecimals`. null: malformed, below zero, or beyond
 * all ranges (docs/rules/money-and-currencies.md "Fractions").
 */
export function parseFraction(value: unknown, maxDecimals: number): Fraction | null {
  if (typeof value === 'number') return fromNumber(value, maxDecimals);
  if (typeof value !== 'string' || value.length > maxStringLength) return null;
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(value);
  if (match === null) return null;
  const [, units = '', decimals = ''] = match;
  return decimals.length > maxDecimals
    ? null
    : reduce(BigInt(units + decimals), 10n ** BigInt(decimals.length));
}

/** Whether `parseFraction` reads this string as a number above zero, at a tenth of its cost. */
export function isPositiveFraction(value: unknown, maxDecimals: number): boolean {
  if (typeof value !== 'string' || value.length > maxStringLength) return false;
  const match = decimalText.exec(value);
  return match !== null && (match[1] ?? '').length <= maxDecimals && /[1-9]/.test(value);
}

/** The shortest decimal text, without an exponent: `0.25`, `3`. */
export function formatFraction(fraction: Fraction): string {
  const decimals = fraction.scale.toString().length - 1;
  if (decimals === 0) return fraction.scaled.toString();
  const digits = fraction.scaled.toString().padStart(decimals + 1, '0');
  const tail = digits.slice(-decimals).replace(/0+$/, '');
  return digits.slice(0, -decimals) + (tail === '' ? '' : `.${tail}`);
}

/** floor(amount·fraction), for amounts of zero or more. */
export function floorMultiply(amount: bigint, fraction: Fraction): bigint {
  return (amount * fraction.scaled) / fraction.scale;
}

/** floor(amount / fraction), for amounts of zero or more and a fraction above zero. */
export function floorDivide(amount: bigint, fraction: Fraction): bigint {
  return (amount * fraction.scale) / fraction.scaled;
}

/** The exact sum. */
export function addFractions(a: Fraction, b: Fraction): Fraction {
  return reduce(a.scaled * b.scale + b.scaled * a.scale, a.scale * b.scale);
}

/** The exact difference a − b, which may be negative. */
export function subtractFractions(a: Fraction, b: Fraction): Fraction {
  return reduce(a.scaled * b.scale - b.scaled * a.scale, a.scale * b.scale);
}

/** Below, equal to or above 0 as a is below, equal to or above b. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const left = a.scaled * b.scale;
  const right = b.scaled * a.scale;
  return left < right ? -1 : left > right ? 1 : 0;
}

export const zero: Fraction = { scaled: 0n, scale: 1n };
export const one: Fraction = { scaled: 1n, scale: 1n };

function fromNumber(value: number, maxDecimals: number): Fraction | null {
  if (value < 0 || value > maxNumber || Object.is(value, -0)) return null;
  const match = /^([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/.exec(String(value));
  if (match === null) return null;
  const [, units = '', decimals = '', exponent = '0'] = match;
  const scaled = roundedDecimal(units + decimals, maxDecimals + Number(exponent) - decimals.length);
  return reduce(scaled, 10n ** BigInt(maxDecimals));
}

function reduce(scaled: bigint, scale: bigint): Fraction {
  let numerator = scaled;
  let denominator = scale;
  while (denominator > 1n && numerator % 10n === 0n) {
    numerator /= 10n;
    denominator /= 10n;
  }
  return { scaled: numerator, scale: denominator };
}

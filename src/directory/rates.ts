import type { RateTableEntry } from '../contracts/directory/directory.ts';
import { minorUnitExponent } from '../lib/currencies.ts';
import { type Fraction, floorDivide, multiplierDecimals, parseFraction } from '../lib/fraction.ts';

/** x·m[to]/m[from], rounded down to atoms; null where a currency has no rate. Amounts of zero or more. */
export function convertAtoms(table: RateTableEntry, atoms: bigint, from: string, to: string): bigint | null {
  if (from === to) return atoms;
  const source = multiplier(table, from);
  const target = multiplier(table, to);
  if (source === null || target === null) return null;
  return floorDivide(atoms * target.scaled, { scaled: source.scaled * target.scale, scale: source.scale });
}

/** Digits of the smallest unit of a currency; null where it is neither of ISO 4217 nor of the table. */
export function exponentOf(table: RateTableEntry | undefined, currency: string): number | null {
  const listed = minorUnitExponent(currency);
  if (listed !== null || table === undefined || !Object.hasOwn(table.exponents, currency)) return listed;
  return table.exponents[currency] ?? null;
}

const parsed = new WeakMap<RateTableEntry, Map<string, Fraction | null>>();

function multiplier(table: RateTableEntry, currency: string): Fraction | null {
  const cache = parsed.get(table) ?? new Map<string, Fraction | null>();
  parsed.set(table, cache);
  let fraction = cache.get(currency);
  if (fraction === undefined) {
    const text = Object.hasOwn(table.multipliers, currency) ? table.multipliers[currency] : undefined;
    fraction = text === undefined ? null : parseFraction(text, multiplierDecimals);
    // A currency without a rate is not remembered: callers choose the names.
    if (text !== undefined) cache.set(currency, fraction);
  }
  return fraction;
}

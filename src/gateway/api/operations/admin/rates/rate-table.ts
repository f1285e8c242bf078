import { minorUnitExponent } from '../../../../../lib/currencies.ts';
import { PublicError } from '../../../../base/errors.ts';

interface RateInput {
  readonly multipliers: Readonly<Record<string, string>>;
  readonly exponents?: Readonly<Record<string, number>> | null | undefined;
}

/** What is stored of a brand whose own table is removed. */
export function noRates(base: string, nowMs: number) {
  return { base_currency: base, multipliers: {}, exponents: {}, updated: nowMs };
}

/**
 * The members of a stored rate table: the base currency has multiplier 1, each currency outside ISO 4217 has its exponent, and
 * the others keep theirs (docs/rules/money-and-currencies.md "Currencies"). @throws PublicError rate_invalid
 */
export function rateTable(base: string, input: RateInput, nowMs: number) {
  const stated = input.multipliers[base];
  if (stated !== undefined && stated !== '1')
    throw new PublicError('rate_invalid', 'The multiplier of the base currency must be 1.');
  const multipliers = { ...input.multipliers, [base]: '1' };
  const exponents: Record<string, number> = {};
  for (const currency of Object.keys(multipliers)) {
    const standard = minorUnitExponent(currency);
    const exponent = input.exponents?.[currency] ?? standard;
    if (standard !== null && exponent !== standard)
      throw new PublicError('rate_invalid', 'A currency of ISO 4217 has the exponent that ISO 4217 says.');
    if (standard !== null) continue;
    if (exponent === null)
      throw new PublicError('rate_invalid', 'A currency outside ISO 4217 needs its exponent.');
    exponents[currency] = exponent;
  }
  return { base_currency: base, multipliers, exponents, updated: nowMs };
}

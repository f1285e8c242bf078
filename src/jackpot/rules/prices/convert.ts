import { minorUnitAtoms } from '../../../lib/currencies.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { RateBook } from '../../state/directory/rates.ts';
import type { CurrencyExchange } from '../../state/money/quote.ts';

/**
 * `currency_unknown`: neither ISO 4217 nor any table of the lane knows it. `currency_not_supported`: the
 * table in force lacks it. `rate_invalid`: that table is too old.
 */
export function exchangeFor(
  rates: RateBook,
  brand: string,
  from: string,
  to: string,
  nowMs: number,
  maxAgeMs: number | null,
): CurrencyExchange | Refusal {
  const exponent = rates.exponentOf(from, brand);
  if (from === to) return exponent === null ? noMinorUnit() : { from, to, table: null, exponent };
  if (!rates.isKnown(from)) return refused('currency_unknown');
  const table = rates.inForce(brand);
  if (table === null || !table.has(from) || !table.has(to)) return refused('currency_not_supported');
  if (maxAgeMs !== null && table.updatedMs + maxAgeMs < nowMs) {
    return refused('rate_invalid', 'the rate table is too old');
  }
  return exponent === null ? noMinorUnit() : { from, to, table, exponent };
}

/** Rounding to another unit would take more or less than the player stated. */
function noMinorUnit(): Refusal {
  return refused('currency_unknown', 'the currency has no known minor unit');
}

/** From the request's currency to the instance's, rounded down. */
export function toInstance(exchange: CurrencyExchange, atoms: bigint): bigint {
  return exchange.table === null ? atoms : exchange.table.convert(atoms, exchange.from, exchange.to);
}

/** From the instance's currency to the request's, rounded down. */
export function fromInstance(exchange: CurrencyExchange, atoms: bigint): bigint {
  return exchange.table === null ? atoms : exchange.table.convert(atoms, exchange.to, exchange.from);
}

export function floorToMinor(atoms: bigint, exponent: number): bigint {
  return atoms - (atoms % minorUnitAtoms(exponent));
}

/** Half a minor unit and more goes up. */
export function roundToMinor(atoms: bigint, exponent: number): bigint {
  const unit = minorUnitAtoms(exponent);
  const down = atoms - (atoms % unit);
  return (atoms - down) * 2n >= unit ? down + unit : down;
}

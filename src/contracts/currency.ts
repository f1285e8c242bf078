import * as z from 'zod';
import { currencyCode, multiplier } from './configuration-fields.ts';
import type { RateTableEntry } from './directory.ts';
import { maxCurrencies, maxMinorUnitExponent } from './plain-rates.ts';

/** `exponents` names the minor units of currencies outside ISO 4217 (docs/rules/money-and-currencies.md "Currencies"). */
const ownMultipliers = z
  .record(currencyCode, multiplier)
  .refine((table) => Object.keys(table).length <= maxCurrencies);
const multipliers = ownMultipliers.refine((table) => Object.keys(table).length > 0);
const exponents = z.record(currencyCode, z.int().min(0).max(maxMinorUnitExponent)).nullish();

/** Body of the default table: units of each currency for one of the base currency. */
export const defaultRates = z.strictObject({ base_currency: currencyCode, multipliers, exponents });
/** Body of a brand's table; its base currency is the system's. Without multipliers it has the default ones again. */
export const brandRates = z.strictObject({
  brand_id: z.string().nullish(),
  multipliers: ownMultipliers,
  exponents,
});

const shownRates = {
  base_currency: z.string(),
  multipliers: z.record(z.string(), z.number()),
  /** Of currencies outside ISO 4217; absent: there are none. */
  exponents: z.record(z.string(), z.int()).optional(),
};
export const brandRatesShape = z.strictObject({ brand_id: z.string(), ...shownRates });
export const publicRatesShape = z.strictObject({ last_updated: z.int(), ...shownRates });

/** JSON text, because a multiplier may have more digits than a double: it is written as an exact number token. */
export function brandRatesText(brand: string, table: RateTableEntry): string {
  return `{"brand_id":${JSON.stringify(brand)},${ratesMembers(table)}}`;
}

/** The answer of O3 as JSON text; without a table, one without currencies. */
export function publicRatesText(table: RateTableEntry | undefined): string {
  if (table === undefined) return '{"last_updated":0,"base_currency":"","multipliers":{}}';
  return `{"last_updated":${table.updated},${ratesMembers(table)}}`;
}

function ratesMembers(table: RateTableEntry): string {
  const members = Object.keys(table.multipliers)
    .sort()
    .map((currency) => `${JSON.stringify(currency)}:${table.multipliers[currency]}`);
  const { exponents } = table;
  const more = Object.keys(exponents).length === 0 ? '' : `,"exponents":${JSON.stringify(exponents)}`;
  return `"base_currency":${JSON.stringify(table.base_currency)},"multipliers":{${members.join(',')}}${more}`;
}

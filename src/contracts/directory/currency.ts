import * as z from 'zod';
import { currencyCode, multiplier } from '../fields/configuration-fields.ts';
import type { RateTableEntry } from './directory.ts';

/** Members of a rate table. */
const maxRatedCurrencies = 1_000;
const maxMinorUnitExponent = 8;

/** `exponents`: minor units outside ISO 4217 (docs/rules/money-and-currencies.md "Currencies"). */
const ownMultipliers = z
  .record(currencyCode, multiplier)
  .refine((table) => Object.keys(table).length <= maxRatedCurrencies);
const multipliers = ownMultipliers.refine((table) => Object.keys(table).length > 0);
const exponents = z.record(currencyCode, z.int().min(0).max(maxMinorUnitExponent)).nullish();

/** Body of the default table: units of each currency for one of the base currency. */
export const defaultRates = z.strictObject({ base_currency: currencyCode, multipliers, exponents });
/** Body of a brand's table, in the system's base currency; without multipliers the default one holds. */
export const brandRates = z.strictObject({
  brand_id: z.string().nullish(),
  multipliers: ownMultipliers,
  exponents,
});

const shownRates = {
  base_currency: z.string(),
  multipliers: z.record(z.string(), z.number()),
  /** Minor units of currencies outside ISO 4217; absent: there are none. */
  exponents: z.record(z.string(), z.int()).optional(),
};
export const brandRatesShape = z.strictObject({ brand_id: z.string(), ...shownRates });
export const publicRatesShape = z.strictObject({ last_updated: z.int(), ...shownRates });

/** JSON text: a multiplier may have more digits than a double, and is written as an exact number. */
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

const code = /^[A-Z0-9]{2,12}$/;
/** Above zero, in normal form, and within the range of multipliers. */
const plainMultiplier = /^(?:[1-9][0-9]{0,14}(?:\.[0-9]{0,17}[1-9])?|0\.[0-9]{0,17}[1-9])$/;

type Body = Readonly<Record<string, unknown>>;

/** The default table's body: see readPlainBody. */
export function readPlainDefaultRates(body: unknown): Body | null {
  return readPlainBody(body, 'base_currency', (value) => typeof value === 'string' && code.test(value));
}

/** A brand's body: see readPlainBody. */
export function readPlainBrandRates(body: unknown): Body | null {
  return readPlainBody(body, 'brand_id', (value) => (value ?? null) === null || typeof value === 'string');
}

/** A body as its shape gives it, read in one loop: zod takes milliseconds. null: the shape decides. */
function readPlainBody(body: unknown, name: string, isValue: (value: unknown) => boolean): Body | null {
  if (!isRecord(body)) return null;
  const { [name]: value, multipliers, exponents, ...others } = body;
  if (!isValue(value) || Object.keys(others).length > 0) return null;
  if (exponents !== undefined && exponents !== null && !areExponents(exponents)) return null;
  const plain = readMultipliers(multipliers);
  return plain === null ? null : { ...body, multipliers: plain };
}

function readMultipliers(value: unknown): Readonly<Record<string, string>> | null {
  if (!isRecord(value)) return null;
  const currencies = Object.keys(value);
  if (currencies.length === 0 || currencies.length > maxRatedCurrencies) return null;
  const multipliers: Record<string, string> = {};
  for (const currency of currencies) {
    const given = value[currency];
    const text = typeof given === 'number' ? String(given) : given;
    if (typeof text !== 'string' || !plainMultiplier.test(text) || !code.test(currency)) return null;
    multipliers[currency] = text;
  }
  return multipliers;
}

function areExponents(value: unknown): boolean {
  if (!isRecord(value)) return false;
  for (const currency of Object.keys(value)) {
    const exponent = value[currency];
    if (!Number.isInteger(exponent) || !code.test(currency)) return false;
    if (Object.is(exponent, -0) || (exponent as number) < 0 || (exponent as number) > maxMinorUnitExponent)
      return false;
  }
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

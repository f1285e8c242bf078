/** Members of a rate table. */
export const maxCurrencies = 1_000;
export const maxMinorUnitExponent = 8;

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

/**
 * A body as its shape (contracts/currency.ts) gives it, read in one loop: zod takes milliseconds for a thousand members. null: it is not
 * plain, and the shape decides.
 */
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
  if (currencies.length === 0 || currencies.length > maxCurrencies) return null;
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

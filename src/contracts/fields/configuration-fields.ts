import * as z from 'zod';
import {
  type Fraction,
  formatFraction,
  multiplierDecimals,
  parseFraction,
  shareDecimals,
} from '../../lib/fraction.ts';
import { formatAmount } from '../../lib/money.ts';
import { decimalString, readAmount } from './amount.ts';
import { isCountry } from './countries.ts';

/** Fields of configurations: a JSON number or decimal string in, plain decimal strings out. */
const decimalInput = z.union([z.number(), decimalString]);
const optionalDecimalInput = z.union([z.number(), z.literal(''), decimalString]);

/** An amount of zero or more, at most 8 decimals. */
export const configuredAmount = decimalInput.transform(normalAmount);

/** A share, percentage or factor of zero or more, at most 9 decimals. */
export const share = decimalInput.transform(normalShare);

/** An amount or share that "" leaves out. */
export const optionalAmount = optionalDecimalInput.transform((value, context) =>
  value === '' ? null : normalAmount(value, context),
);
export const optionalShare = optionalDecimalInput.transform((value, context) =>
  value === '' ? null : normalShare(value, context),
);

/** A currency multiplier above zero, at most 18 decimals. */
export const multiplier = decimalInput.transform((value, context) => {
  const fraction = parseFraction(value, multiplierDecimals);
  if (fraction !== null && fraction.scaled > 0n && withinMultiplierRange(fraction))
    return formatFraction(fraction);
  context.addIssue({ code: 'custom', message: 'rate_invalid' });
  return z.NEVER;
});

/** ISO 4217, or a code of the operator's own. */
export const currencyCode = z.string().regex(/^[A-Z0-9]{2,12}$/);
/** Milliseconds: a time since 1970, or a duration. */
export const milliseconds = z.int().min(0);
/** The largest integer of the documents, unless they say otherwise (docs/rules/http.md "Bodies"). */
export const maxInteger = 2 ** 31 - 1;
export const cycleCount = z.int().min(1).max(maxInteger);
/** ISO 3166-1 or -2: `DE`, `US-NJ`. */
export const countryFilter = z.string().refine(isCountry, 'country_invalid');

export const displayName = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}][^\p{C}\p{Zl}\p{Zp}]*$/u);

/** May have several lines; other control characters are not allowed. */
export const description = z
  .string()
  .max(2000)
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u);

/** An object with exactly one key, which names the kind of its value. */
export function oneKind<S extends Readonly<Record<string, z.ZodType>>>(kinds: S) {
  const shape: Record<string, z.ZodOptional<z.ZodNullable<z.ZodType>>> = {};
  for (const kind of Object.keys(kinds)) shape[kind] = kinds[kind]!.nullish();
  return z
    .strictObject(shape)
    .refine(
      (value) =>
        Object.values(value).filter((parameters) => parameters !== null && parameters !== undefined)
          .length === 1,
      { message: 'must have exactly one key' },
    );
}

/** Members that are null or undefined left out, at every depth. */
export function withoutAbsent<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutAbsent) as T;
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(present.map(([name, member]) => [name, withoutAbsent(member)])) as T;
}

function normalAmount(value: number | string, context: z.core.$RefinementCtx): string {
  const read = readAmount(value);
  if (read.ok) return formatAmount(read.atoms);
  context.addIssue({ code: 'custom', message: read.code });
  return z.NEVER;
}

function normalShare(value: number | string, context: z.core.$RefinementCtx): string {
  const fraction = parseFraction(value, shareDecimals);
  if (fraction !== null) return formatFraction(fraction);
  const message = codeOfFault(value, shareDecimals);
  const rule = message === 'amount_precision' ? `must have at most ${shareDecimals} decimals` : null;
  context.addIssue({ code: 'custom', message, params: { rule } });
  return z.NEVER;
}

const maxMultiplier = 10n ** 15n;

function withinMultiplierRange(fraction: Fraction): boolean {
  return fraction.scaled <= maxMultiplier * fraction.scale;
}

function codeOfFault(value: number | string, decimals: number): string {
  if (Object.is(value, -0)) return 'invalid_request';
  if (typeof value === 'number') return value < 0 ? 'amount_negative' : 'amount_out_of_range';
  if (value.startsWith('-')) return 'amount_negative';
  const digits = /^(?:0|[1-9][0-9]*)\.([0-9]+)$/.exec(value);
  return digits !== null && digits[1]!.length > decimals ? 'amount_precision' : 'invalid_request';
}

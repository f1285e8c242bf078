import * as z from 'zod';
import { parseAmount } from '../../lib/money.ts';
import type { ErrorCode } from '../errors/codes.ts';

/** Without an exponent; no negative zero. */
export const decimalString = z
  .string()
  .max(64)
  .regex(/^(?:0(?:\.[0-9]+)?|-?[1-9][0-9]*(?:\.[0-9]+)?|-0\.0*[1-9][0-9]*)$/);

/** An amount in an input, a JSON number or a decimal string; `readAmount` says what it is worth. */
export const amountField = z.union([z.number(), decimalString]);

/** CSV tells no number from a text: what has more decimals than an exact amount is a number. */
export function amountOfCell(cell: string): number | string {
  return /^-?(?:0|[1-9][0-9]*)\.[0-9]{9,}$/.test(cell) ? Number(cell) : cell;
}

/** An amount in atoms (10^-8 of a unit), or the error code that refuses it. */
type AmountRead =
  | { readonly ok: true; readonly atoms: bigint }
  | { readonly ok: false; readonly code: ErrorCode };

/** Numbers below this have at most 15 digits when they are written in atoms. */
const plainNumberLimit = 9_999_999;

/**
 * Reads an amount of zero or more, in atoms: a number rounded half up, a string exactly (`parseAmount`).
 * Refuses one below zero, a string of more than 8 decimals, and amounts out of range: above `maxAtoms`.
 */
export function readAmount(value: number | string, maxAtoms?: bigint): AmountRead {
  if (typeof value === 'number' && value > 0 && value <= plainNumberLimit) {
    // With at most 15 digits on both sides no other decimal is as near, so a match is exact.
    const atoms = Math.round(value * 1e8);
    if (atoms / 1e8 === value) return { ok: true, atoms: BigInt(atoms) };
  }
  // Before it is rounded: what is below zero by less than half an atom is below zero.
  if (typeof value === 'number' && value < 0) return { ok: false, code: 'amount_negative' };
  const parsed = parseAmount(value, maxAtoms);
  if (!parsed.ok) return { ok: false, code: codeOfFault[parsed.fault] };
  return parsed.atoms < 0n ? { ok: false, code: 'amount_negative' } : parsed;
}

const codeOfFault = {
  syntax: 'invalid_request',
  precision: 'amount_precision',
  range: 'amount_out_of_range',
} as const;

import { hash } from 'node:crypto';
import * as z from 'zod';
import { amountField, readAmount } from '../../../src/contracts/fields/amount.ts';
import { canonicalJson } from '../../../src/lib/canonical-json.ts';
import type { RefusalCode } from '../wallet/refusals.ts';

/** Ids and names that callers choose: longer than the service makes them, so that nothing of it is cut. */
export const nameField = z.string().min(1).max(512);
export const textField = z.string().max(512);
export const typeField = z.enum(['Debit', 'Credit']);
export { amountField };

/** Amounts in atoms, or the refusal of the first that is none, or above `maxAtoms`. */
export function readAmounts<Name extends string>(
  fields: Readonly<Record<Name, number | string>>,
  maxAtoms?: bigint,
): Readonly<Record<Name, bigint>> | RefusalCode {
  const atoms = {} as Record<Name, bigint>;
  for (const name of Object.keys(fields) as Name[]) {
    const read = readAmount(fields[name], maxAtoms);
    if (!read.ok) return read.code === 'amount_precision' ? 'amount_precision' : 'amount_out_of_range';
    atoms[name] = read.atoms;
  }
  return atoms;
}

/**
 * Equal contents have equal fingerprints, in whatever order and spelling they come; null and absent are the
 * same.
 */
export function fingerprintOf(content: Readonly<Record<string, unknown>>): string {
  return hash('sha256', canonicalJson(JSON.parse(JSON.stringify(content, plain))), 'hex');
}

function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : (value ?? undefined);
}

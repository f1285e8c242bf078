import { parseAmount } from '../lib/money.ts';

/** Reading stored documents, which are in normal form: decimal strings, absent members left out. */

/** Atoms; 0 where absent. */
export function amountOf(value: unknown): bigint {
  if (typeof value !== 'string' && typeof value !== 'number') return 0n;
  const parsed = parseAmount(value);
  return parsed.ok ? parsed.atoms : 0n;
}

/** Shares have at most nine decimals, which a double holds exactly as far as its shortest form goes. */
export function shareNumber(value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : 0;
}

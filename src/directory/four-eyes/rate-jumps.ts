import type { RatesValue } from '../../contracts/directory/directory.ts';
import { type Fraction, multiplierDecimals, parseFraction } from '../../lib/fraction.ts';

/** A jump: more than a tenth up or down within a day (docs/rules/approvals.md "Changes"). */
const maxChangePercent = 10n;
const dayMs = 86_400_000;
/** Removed currencies count too: removing one and adding it again does not allow another rate. */
const maxReferenceCurrencies = 2_000;

type Multipliers = Readonly<Record<string, string>>;
export type Rates = Pick<RatesValue, 'base_currency' | 'multipliers' | 'exponents' | 'updated' | 'reference'>;

/** Whether new rates jump. A currency without a rate until now jumps, because it prices new players. */
export function jumps(current: Rates | null, next: Rates, nowMs: number): boolean {
  if (current === null || current.base_currency !== next.base_currency) return true;
  const reference = referenceOf(current, nowMs).multipliers;
  if (Object.keys({ ...reference, ...next.multipliers }).length > maxReferenceCurrencies) return true;
  return Object.entries(next.multipliers).some(([currency, multiplier]) => {
    const before = reference[currency];
    if (before === undefined || next.exponents[currency] !== current.exponents[currency]) return true;
    return isJump(read(before), read(multiplier));
  });
}

/** New rates with the reference for the next ones; `isReference`: approved, or no rule holds. */
export function withReference(
  current: Rates | null,
  next: Rates,
  nowMs: number,
  isReference: boolean,
): Rates {
  if (current === null || isReference || current.base_currency !== next.base_currency)
    return { ...next, reference: { multipliers: next.multipliers, since: nowMs } };
  const { multipliers, since } = referenceOf(current, nowMs);
  return { ...next, reference: { multipliers: { ...next.multipliers, ...multipliers }, since } };
}

/** That of the day, or of the begin of the next one. */
function referenceOf(
  { reference, multipliers }: Rates,
  nowMs: number,
): { readonly multipliers: Multipliers; readonly since: number } {
  if (reference === undefined) return { multipliers, since: nowMs };
  if (nowMs - reference.since < dayMs) return reference;
  return { multipliers: { ...reference.multipliers, ...multipliers }, since: nowMs };
}

function isJump(before: Fraction, after: Fraction): boolean {
  const was = before.scaled * after.scale;
  const change = after.scaled * before.scale - was;
  return (change < 0n ? -change : change) * 100n > was * maxChangePercent;
}

function read(multiplier: string): Fraction {
  return parseFraction(multiplier, multiplierDecimals) ?? { scaled: 0n, scale: 1n };
}

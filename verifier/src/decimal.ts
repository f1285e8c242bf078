/** An exact fraction of integers. */
export interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

export const whole: Ratio = { over: 1n, under: 1n };
export const nothing: Ratio = { over: 0n, under: 1n };
export const atomsPerUnit = 100_000_000n;

/** A decimal of a configuration: text, or a number by its shortest form. Absent and empty: null. */
export function ratioOf(value: unknown): Ratio | null {
  if (value === undefined || value === null || value === '') return null;
  const text = String(value);
  const match = /^(\d{1,40})(?:\.(\d{1,40}))?(?:e([+-]\d{1,2}))?$/.exec(text);
  if (match === null) throw new RangeError(`not a decimal: ${text}`);
  const decimals = match[2] ?? '';
  const exponent = Number(match[3] ?? '0');
  const over = BigInt(match[1]! + decimals) * 10n ** BigInt(Math.max(0, exponent));
  return { over, under: 10n ** BigInt(decimals.length + Math.max(0, -exponent)) };
}

/** Atoms (1e-8 of a unit) of a decimal amount; null where there is none. */
export function atomsOf(value: unknown): bigint | null {
  const ratio = ratioOf(value);
  return ratio === null ? null : (ratio.over * atomsPerUnit) / ratio.under;
}

/** floor(amount · ratio) */
export function part(amount: bigint, ratio: Ratio): bigint {
  return (amount * ratio.over) / ratio.under;
}

export function sum(a: Ratio, b: Ratio): Ratio {
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under };
}

export function isGreater(a: Ratio, b: Ratio): boolean {
  return a.over * b.under > b.over * a.under;
}

export function smallest(first: bigint, ...others: readonly bigint[]): bigint {
  let min = first;
  for (const each of others) if (each < min) min = each;
  return min;
}

export function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n;
}

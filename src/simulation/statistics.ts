/** Figures about measured things: floats, unlike the money itself. */
export interface Spread {
  readonly count: number;
  readonly mean: number;
  readonly least: number;
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly most: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The quantile of the standard normal distribution for 95 % in the middle. */
const z95 = 1.959963984540054;

/** null where there is nothing to say anything about. */
export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))]!;
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    least: at(0),
    p5: at(0.05),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p95: at(0.95),
    most: at(1),
  };
}

/**
 * Wilson's 95 % bounds of a probability after `hits` of `trials`: sound for rare events, never below 0 or
 * above 1.
 */
export function wilson(hits: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const part = hits / trials;
  const weight = z95 ** 2 / trials;
  const middle = part + weight / 2;
  const half = z95 * Math.sqrt((part * (1 - part)) / trials + weight / (4 * trials));
  const bound = (value: number) => Math.min(1, Math.max(0, value / (1 + weight)));
  return { low: hits === 0 ? 0 : bound(middle - half), high: hits === trials ? 1 : bound(middle + half) };
}

export interface Histogram {
  readonly from: number;
  readonly to: number;
  readonly counts: readonly number[];
}

/** Equal bins over all values; one bin where they are all the same. */
export function histogramOf(values: readonly number[], bins: number): Histogram | null {
  if (values.length === 0) return null;
  const from = values.reduce((min, value) => Math.min(min, value), Number.POSITIVE_INFINITY);
  const to = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (from === to) return { from, to, counts: [values.length] };
  const counts = new Array<number>(bins).fill(0);
  for (const value of values)
    counts[Math.min(bins - 1, Math.floor(((value - from) / (to - from)) * bins))]! += 1;
  return { from, to, counts };
}

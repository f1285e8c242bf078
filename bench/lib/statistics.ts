/** Median, minimum and maximum of what alternating rounds measured. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: percentile(sorted, 0.5), min: sorted[0] ?? 0, max: sorted[sorted.length - 1] ?? 0 };
}

/** Nearest-rank percentile of ascending values. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return 0;
  const rank = Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1));
  return sorted[rank] ?? 0;
}

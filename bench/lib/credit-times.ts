/**
 * How long credits took, from the histogram of the wallet role: seconds, ascending, with the counts up to
 * them.
 */
export type CreditTimes = ReadonlyMap<number, number>;

const line = /^potstream_wallet_credit_seconds_bucket\{(?:.*,)?le="([^"]+)".*\} (\d+)$/gm;

/** Reads it at the operations port of the system. */
export async function creditTimes(operationsUrl: string): Promise<CreditTimes> {
  const text = await (await fetch(`${operationsUrl}/metrics`)).text();
  return new Map(
    [...text.matchAll(line)].map(([, le, count]) => [
      le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le),
      Number(count),
    ]),
  );
}

/**
 * Credits between two readings, and the milliseconds that a share of them took at most; even within a bucket.
 */
export function creditShare(before: CreditTimes, after: CreditTimes, share: number) {
  const counts = [...after].map(([le, count]) => [le, count - (before.get(le) ?? 0)] as const);
  const credits = counts.at(-1)?.[1] ?? 0;
  const wanted = credits * share;
  let [low, below] = [0, 0];
  for (const [le, count] of counts) {
    if (count >= wanted && count > below) {
      const part = Number.isFinite(le) ? (wanted - below) / (count - below) : 0;
      return { credits, ms: 1_000 * (low + part * ((Number.isFinite(le) ? le : low) - low)) };
    }
    [low, below] = [le, count];
  }
  return { credits, ms: Number.NaN };
}

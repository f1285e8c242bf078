import type { WalletCallName } from '../../../src/wallet/client/brand-client.ts';
import type { Exchange } from './client.ts';

/** How long the wallet took for one operation; it decides nothing. */
export interface LatencyRow {
  readonly call: WalletCallName;
  readonly calls: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const calls: readonly WalletCallName[] = ['W1', 'W2', 'W3', 'W4', 'W5'];

/** A row for each operation that was called. */
export function latencies(exchanges: readonly Exchange[]): LatencyRow[] {
  return calls.flatMap((call) => {
    const took = exchanges.filter((one) => one.call === call).map(({ tookMs }) => tookMs);
    if (took.length === 0) return [];
    took.sort((a, b) => a - b);
    const at = (share: number) =>
      rounded(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0);
    return [{ call, calls: took.length, medianMs: at(0.5), p99Ms: at(0.99), maxMs: at(1) }];
  });
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

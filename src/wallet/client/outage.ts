import type { WalletAnswer } from './answer.ts';
import { walletLimits } from './limits.ts';

/** Sees from all answers of a brand's wallet that it answers again after it did not for a while. */
export class Outage {
  #silentSinceMs: number | null = null;

  /** True for the answer that ends an outage. */
  ends(answer: WalletAnswer, nowMs: number): boolean {
    if (answer.kind === 'unknown') {
      this.#silentSinceMs ??= nowMs;
      return false;
    }
    const sinceMs = this.#silentSinceMs;
    this.#silentSinceMs = null;
    return sinceMs !== null && nowMs - sinceMs >= walletLimits.minOutageMs;
  }
}

import { createHash } from 'node:crypto';
import type { PlayerTokenQuestion } from '../../contracts/payments/player-authentication.ts';
import type { KnownWallet } from './player-token-cache.ts';

/** How long a refusal counts for frontends: a token that becomes valid waits no longer. */
export const refusalCacheMs = 3_000;
/** Cached refusals of one brand, and brands. The oldest go first. */
const maxRefusalsOfBrand = 4_096;
const maxBrands = 1_024;

interface Refusal {
  readonly wallet: KnownWallet;
  readonly answeredMs: number;
}

/** Recent refusals of wallets by token, currency and source, as digests: tokens may be long. */
export class RefusedTokens {
  readonly #brands = new Map<string, Map<string, Refusal>>();

  holds(wallet: KnownWallet, question: PlayerTokenQuestion, nowMs: number): boolean {
    const refusals = this.#brands.get(question.brand);
    if (refusals === undefined) return false;
    const refusal = refusals.get(digestOf(question));
    return refusal?.wallet === wallet && nowMs - refusal.answeredMs < refusalCacheMs;
  }

  put(wallet: KnownWallet, question: PlayerTokenQuestion, nowMs: number): void {
    const refusals = this.#brands.get(question.brand) ?? this.#begin(question.brand);
    const digest = digestOf(question);
    refusals.delete(digest);
    refusals.set(digest, { wallet, answeredMs: nowMs });
    for (const [oldest, { answeredMs }] of refusals) {
      if (refusals.size <= maxRefusalsOfBrand && nowMs - answeredMs < refusalCacheMs) break;
      refusals.delete(oldest);
    }
  }

  drop(question: PlayerTokenQuestion): void {
    this.#brands.get(question.brand)?.delete(digestOf(question));
  }

  #begin(brand: string): Map<string, Refusal> {
    const refusals = new Map<string, Refusal>();
    this.#brands.set(brand, refusals);
    if (this.#brands.size > maxBrands) this.#brands.delete(this.#brands.keys().next().value as string);
    return refusals;
  }
}

function digestOf({ token, currency, source }: PlayerTokenQuestion): string {
  return createHash('sha256')
    .update(`${currency}\n${source ?? ''}\n${token}`)
    .digest('base64');
}

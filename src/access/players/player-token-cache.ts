import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { type PlayerIdentity, playerTokenCacheMs } from '../../contracts/payments/player-authentication.ts';

/** The wallet of a brand. Other settings are another object. */
export interface KnownWallet {
  readonly brand: string;
}

/** Cached tokens of all brands. */
export const maxCachedTokens = 50_000;
/** Sessions of one token, which differ in their currency. */
const sessionsOfToken = 4;

interface CachedIdentity {
  readonly identity: PlayerIdentity;
  /** When the wallet answered. */
  readonly answeredMs: number;
}

interface Session extends CachedIdentity {
  readonly currency: string;
}

interface CachedToken {
  /** The wallet that answered. Its answer does not count for another wallet. */
  readonly wallet: KnownWallet;
  readonly sessions: readonly Session[];
}

/** Accepted player tokens. A full cache drops the oldest of the fullest brand of the fullest operator. */
export class PlayerTokenCache {
  readonly #brands = new Map<string, Map<string, CachedToken>>();
  #size = 0;

  find(
    wallet: KnownWallet,
    token: string,
    currency: string | null,
    nowMs: number,
  ): CachedIdentity | undefined {
    const cached = this.#brands.get(wallet.brand)?.get(token);
    if (cached === undefined || cached.wallet !== wallet) return undefined;
    for (const session of cached.sessions) {
      if (
        (currency === null || session.currency === currency) &&
        nowMs - session.answeredMs < playerTokenCacheMs
      )
        return session;
    }
    return undefined;
  }

  put(wallet: KnownWallet, token: string, currency: string, identity: CachedIdentity): void {
    const before = this.#brands.get(wallet.brand)?.get(token);
    const others =
      before?.wallet === wallet ? before.sessions.filter((one) => one.currency !== currency) : [];
    const sessions = [{ ...identity, currency }, ...others].slice(0, sessionsOfToken);
    // At the end: the oldest stay in front.
    this.drop(wallet.brand, token);
    const tokens = this.#brands.get(wallet.brand) ?? new Map<string, CachedToken>();
    this.#brands.set(wallet.brand, tokens.set(token, { wallet, sessions }));
    this.#size += 1;
    if (this.#size > maxCachedTokens) this.#evict();
  }

  /** The newest session of the player; undefined: none is remembered. */
  sessionOf(
    wallet: KnownWallet,
    player: string,
    nowMs: number,
  ): { readonly token: string; readonly currency: string } | undefined {
    let newest: (Session & { readonly token: string }) | undefined;
    for (const [token, cached] of this.#brands.get(wallet.brand) ?? []) {
      if (cached.wallet !== wallet) continue;
      for (const session of cached.sessions) {
        const counts = session.identity.player === player && nowMs - session.answeredMs < playerTokenCacheMs;
        if (counts && session.answeredMs >= (newest?.answeredMs ?? 0)) newest = { ...session, token };
      }
    }
    return newest;
  }

  /** Whether the token was once valid, even if it no longer is. */
  has(brand: string, token: string): boolean {
    return this.#brands.get(brand)?.has(token) === true;
  }

  /** Removes a token. False: it was not cached. */
  drop(brand: string, token: string): boolean {
    const tokens = this.#brands.get(brand);
    if (tokens?.delete(token) !== true) return false;
    this.#size -= 1;
    if (tokens.size === 0) this.#brands.delete(brand);
    return true;
  }

  #evict(): void {
    const operators = new Map<string, number>();
    for (const [brand, { size }] of this.#brands) {
      const operator = operatorOf(brand);
      operators.set(operator, (operators.get(operator) ?? 0) + size);
    }
    const largest = Math.max(...operators.values());
    let fullest: readonly [brand: string, tokens: Map<string, CachedToken>] | undefined;
    for (const one of this.#brands) {
      if (operators.get(operatorOf(one[0])) !== largest) continue;
      if (fullest === undefined || one[1].size > fullest[1].size) fullest = one;
    }
    if (fullest !== undefined) this.drop(fullest[0], fullest[1].keys().next().value as string);
  }
}

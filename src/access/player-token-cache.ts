import { type PlayerIdentity, playerTokenCacheMs } from '../contracts/wallet.ts';

/** The wallet of a brand as it is now; another one is another object. */
export interface KnownWallet {
  readonly brand: string;
}

/** Tokens that are remembered. */
export const maxCachedTokens = 50_000;
/** Sessions of one token, which differ in their currency. */
const sessionsOfToken = 4;

export interface CachedIdentity {
  readonly identity: PlayerIdentity;
  /** When the wallet said so. */
  readonly answeredMs: number;
}

interface Session extends CachedIdentity {
  readonly currency: string;
}

interface CachedToken {
  /** The wallet that said so: what another one says is another matter. */
  readonly wallet: KnownWallet;
  readonly sessions: readonly Session[];
}

/**
 * What wallets have said of players' tokens, for as long as it holds. Only what they authenticated is remembered. Where there are too
 * many, the brand with the most loses its oldest: no brand pushes out another's.
 */
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
    // Put at the end, so that the oldest stay in front.
    this.drop(wallet.brand, token);
    const tokens = this.#brands.get(wallet.brand) ?? new Map<string, CachedToken>();
    this.#brands.set(wallet.brand, tokens.set(token, { wallet, sessions }));
    this.#size += 1;
    if (this.#size > maxCachedTokens) this.#evict();
  }

  /** Whether the token was good at some time, though perhaps not any more. */
  has(brand: string, token: string): boolean {
    return this.#brands.get(brand)?.has(token) === true;
  }

  /** Whether there was something to let go. */
  drop(brand: string, token: string): boolean {
    const tokens = this.#brands.get(brand);
    if (tokens?.delete(token) !== true) return false;
    this.#size -= 1;
    if (tokens.size === 0) this.#brands.delete(brand);
    return true;
  }

  #evict(): void {
    let fullest: readonly [brand: string, tokens: Map<string, CachedToken>] | undefined;
    for (const one of this.#brands) if (fullest === undefined || one[1].size > fullest[1].size) fullest = one;
    if (fullest !== undefined) this.drop(fullest[0], fullest[1].keys().next().value as string);
  }
}

import { type PlayerIdentity, playerTokenHeldMs } from '../contracts/wallet.ts';

/** The wallet of a brand as it is now; another one is another object. */
export interface KnownWallet {
  readonly brand: string;
}

/** Tokens that are remembered. */
export const rememberedTokens = 50_000;
/** Sessions of one token, which differ in their currency. */
const sessionsOfToken = 4;

export interface HeldIdentity {
  readonly identity: PlayerIdentity;
  /** When the wallet said so. */
  readonly saidMs: number;
}

interface Session extends HeldIdentity {
  readonly currency: string;
}

interface HeldToken {
  /** The wallet that said so: what another one says is another matter. */
  readonly wallet: KnownWallet;
  readonly sessions: readonly Session[];
}

/**
 * What wallets have said of players' tokens, for as long as it holds. Only what they vouched for is remembered. Where there are too
 * many, the brand with the most loses its oldest: no brand pushes out another's.
 */
export class PlayerTokenCache {
  readonly #brands = new Map<string, Map<string, HeldToken>>();
  #size = 0;

  find(wallet: KnownWallet, token: string, currency: string | null, nowMs: number): HeldIdentity | undefined {
    const held = this.#brands.get(wallet.brand)?.get(token);
    if (held === undefined || held.wallet !== wallet) return undefined;
    for (const session of held.sessions) {
      if ((currency === null || session.currency === currency) && nowMs - session.saidMs < playerTokenHeldMs)
        return session;
    }
    return undefined;
  }

  keep(wallet: KnownWallet, token: string, currency: string, said: HeldIdentity): void {
    const before = this.#brands.get(wallet.brand)?.get(token);
    const others =
      before?.wallet === wallet ? before.sessions.filter((one) => one.currency !== currency) : [];
    const sessions = [{ ...said, currency }, ...others].slice(0, sessionsOfToken);
    // Put at the end, so that the oldest stay in front.
    this.drop(wallet.brand, token);
    const tokens = this.#brands.get(wallet.brand) ?? new Map<string, HeldToken>();
    this.#brands.set(wallet.brand, tokens.set(token, { wallet, sessions }));
    this.#size += 1;
    if (this.#size > rememberedTokens) this.#makeRoom();
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

  #makeRoom(): void {
    let most: readonly [brand: string, tokens: Map<string, HeldToken>] | undefined;
    for (const one of this.#brands) if (most === undefined || one[1].size > most[1].size) most = one;
    if (most !== undefined) this.drop(most[0], most[1].keys().next().value as string);
  }
}

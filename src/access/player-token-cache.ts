import { type PlayerIdentity, playerTokenHeldMs } from '../contracts/wallet.ts';
import type { WalletSettings } from './brand-wallets.ts';

/** Tokens that are remembered; the oldest goes first. */
const rememberedTokens = 50_000;
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
  readonly wallet: WalletSettings;
  readonly sessions: readonly Session[];
}

/** What wallets have said of players' tokens, for as long as it holds. Only what they vouched for is remembered. */
export class PlayerTokenCache {
  readonly #held = new Map<string, HeldToken>();

  find(
    wallet: WalletSettings,
    token: string,
    currency: string | null,
    nowMs: number,
  ): HeldIdentity | undefined {
    const held = this.#held.get(keyOf(wallet.brand, token));
    if (held === undefined || held.wallet !== wallet) return undefined;
    for (const session of held.sessions) {
      if ((currency === null || session.currency === currency) && nowMs - session.saidMs < playerTokenHeldMs)
        return session;
    }
    return undefined;
  }

  keep(wallet: WalletSettings, token: string, currency: string, said: HeldIdentity): void {
    const key = keyOf(wallet.brand, token);
    const before = this.#held.get(key);
    const others =
      before?.wallet === wallet ? before.sessions.filter((one) => one.currency !== currency) : [];
    const sessions = [{ ...said, currency }, ...others].slice(0, sessionsOfToken);
    // Put at the end, so that the oldest stay in front.
    this.#held.delete(key);
    this.#held.set(key, { wallet, sessions });
    if (this.#held.size > rememberedTokens) this.#held.delete(this.#held.keys().next().value as string);
  }

  drop(brand: string, token: string): void {
    this.#held.delete(keyOf(brand, token));
  }
}

/** A brand path holds no space. */
function keyOf(brand: string, token: string): string {
  return `${brand} ${token}`;
}

import { type TokenVerifier, verifyServiceToken } from '../../access/access.ts';
import type { PlayerTokenAnswer, PlayerTokens } from '../../access/players/player-tokens.ts';
import type { ServicePrincipal } from '../../access/rights/principal.ts';
import {
  isOfBrand,
  type PlayerIdentity,
  type TokenCaller,
} from '../../contracts/payments/player-authentication.ts';
import { crash } from '../../lib/crash.ts';
import { maxRechecksOfBrand, recheckMs } from '../base/limits.ts';

/** What a socket was opened with; sockets that came with the same token share it. */
export type Credential = ServiceCredential | PlayerCredential | WordCredential | PublicCredential;

interface ServiceCredential {
  readonly kind: 'service';
  readonly key: string;
  readonly principal: ServicePrincipal;
}

interface PlayerCredential {
  readonly kind: 'player';
  readonly key: string;
  readonly token: string;
  /** Brand path. */
  readonly brand: string;
  readonly player: string;
  readonly currency: string;
  /** When the wallet last authenticated it, by `elapsedMs`. */
  checkedMs: number;
  /** The wallet has taken it back. */
  revoked: boolean;
}

/** A service's ticket: the socket is a player's, or has none, on the word of the service's account. */
interface WordCredential {
  readonly kind: 'word';
  readonly key: string;
  /** Brand path. */
  readonly brand: string;
  /** null: it has no player. */
  readonly player: string | null;
  readonly username: string;
  readonly generation: string;
}

/** Sockets of the public feed show none. */
interface PublicCredential {
  readonly kind: 'public';
  readonly key: string;
}

export const publicCredential: PublicCredential = { kind: 'public', key: 'public' };

/** The player whose sockets are counted together; null: there is none. */
export function playerOf(credential: Credential): { readonly brand: string; readonly player: string } | null {
  if (credential.kind !== 'player' && credential.kind !== 'word') return null;
  const { brand, player } = credential;
  return player === null ? null : { brand, player };
}

type PlayerVerdict =
  | { readonly kind: 'verified'; readonly credential: PlayerCredential }
  | { readonly kind: 'refused' }
  /** The wallet does not answer. */
  | { readonly kind: 'unknown' }
  | Extract<PlayerTokenAnswer, { kind: 'busy' | 'limited' }>;

interface CredentialsPorts {
  readonly access: TokenVerifier;
  readonly players: Pick<PlayerTokens, 'authenticate'>;
  elapsedMs(): number;
}

/** The tokens that open sockets came with. Sockets with equal tokens share one credential. */
export class FeedCredentials {
  readonly #ports: CredentialsPorts;
  readonly #open = new Map<string, { readonly credential: Credential; sockets: number }>();
  /** By brand: a wallet that does not answer delays its own rechecks alone. */
  readonly #rechecking = new Map<string, Set<PlayerCredential>>();
  #accountsChanged = false;

  constructor(ports: CredentialsPorts) {
    this.#ports = ports;
    ports.access.accounts.onChange(() => {
      this.#accountsChanged = true;
    });
  }

  /** null: on feeds every token that does not hold is the same to the caller. */
  async service(token: string): Promise<ServiceCredential | null> {
    const { access } = this.#ports;
    const key = `service ${token}`;
    const principal = access.tokens.knownService(token, 'feed') ?? (await verifyServiceToken(access, token));
    if (typeof principal === 'string') return null;
    const open = this.#open.get(key)?.credential;
    return open?.kind === 'service' ? open : { kind: 'service', key, principal };
  }

  /** A player's token, asked of the wallet of that brand. */
  async player(brand: string, currency: string, token: string, caller: TokenCaller): Promise<PlayerVerdict> {
    const asked = { brand, currency, token, source: null, caller };
    const answer = await this.#ports.players.authenticate(asked);
    if (answer.kind !== 'authenticated') return answer;
    if (!isSession(answer.identity, brand, currency)) return { kind: 'refused' };
    const { player } = answer.identity;
    const key = `player ${brand} ${currency} ${token}`;
    const checkedMs = this.#ports.elapsedMs() - answer.ageMs;
    const open = this.#open.get(key)?.credential;
    if (open?.kind === 'player' && open.player === player && !open.revoked) {
      open.checkedMs = checkedMs;
      return { kind: 'verified', credential: open };
    }
    const fresh = { kind: 'player', key, token, brand, player, currency, checkedMs, revoked: false } as const;
    return { kind: 'verified', credential: { ...fresh } };
  }

  /** On a service's word; null: its account is not what it was when it gave it. */
  onWordOf(of: Pick<WordCredential, 'brand' | 'player' | 'username' | 'generation'>): WordCredential | null {
    const { brand, player, username, generation } = of;
    if (!this.#stands(of)) return null;
    const key = `word ${brand} ${username} ${generation} ${player ?? ''}`;
    return { kind: 'word', key, brand, player, username, generation };
  }

  /** A change of an account gives it another generation. */
  #stands({ username, generation }: Pick<WordCredential, 'username' | 'generation'>): boolean {
    const account = this.#ports.access.accounts.find('service', username);
    return account?.enabled === true && account.generation === generation;
  }

  acquire(credential: Credential): Credential {
    const open = this.#open.get(credential.key) ?? { credential, sockets: 0 };
    open.sockets += 1;
    this.#open.set(credential.key, open);
    return open.credential;
  }

  release(credential: Credential): void {
    const open = this.#open.get(credential.key);
    if (open === undefined) return;
    open.sockets -= 1;
    if (open.sockets === 0) this.#open.delete(credential.key);
  }

  /** After a change of the accounts: the services' credentials that do not hold any more. */
  async revoked(): Promise<ReadonlySet<Credential>> {
    const found = new Set<Credential>();
    if (!this.#accountsChanged) return found;
    this.#accountsChanged = false;
    for (const { credential } of [...this.#open.values()]) {
      if (credential.kind === 'word' && !this.#stands(credential)) found.add(credential);
      if (credential.kind !== 'service') continue;
      if ((await this.service(credential.key.slice('service '.length))) === null) found.add(credential);
    }
    return found;
  }

  /** The wallet has taken a token back: its sockets are asked about at once. */
  revokedTokens(brand: string, token: string): void {
    for (const { credential } of this.#open.values()) {
      if (credential.kind === 'player' && credential.brand === brand && credential.token === token)
        credential.checkedMs = Number.NEGATIVE_INFINITY;
    }
  }

  /** Asks wallets again about tokens that they accepted long ago; without an answer nothing changes. */
  recheckPlayers(): void {
    const beforeMs = this.#ports.elapsedMs() - recheckMs;
    for (const { credential } of this.#open.values()) {
      if (credential.kind !== 'player' || credential.checkedMs > beforeMs || credential.revoked) continue;
      const underWay = this.#rechecking.get(credential.brand);
      if (underWay?.has(credential) || (underWay?.size ?? 0) >= maxRechecksOfBrand) continue;
      this.#recheck(credential).catch(crash);
    }
  }

  async #recheck(credential: PlayerCredential): Promise<void> {
    const { brand, currency, token } = credential;
    const underWay = this.#rechecking.get(brand) ?? new Set();
    this.#rechecking.set(brand, underWay.add(credential));
    try {
      const verdict = await this.player(brand, currency, token, { kind: 'open_socket' });
      if (verdict.kind === 'unknown') credential.checkedMs = this.#ports.elapsedMs();
      else if (verdict.kind === 'refused') credential.revoked = true;
      else if (verdict.kind === 'verified' && verdict.credential.player !== credential.player)
        credential.revoked = true;
    } finally {
      underWay.delete(credential);
      if (underWay.size === 0) this.#rechecking.delete(brand);
    }
  }
}

/** A token of another brand, operator or currency is none here (docs/rules/feeds.md "Connecting"). */
function isSession(identity: PlayerIdentity, brand: string, currency: string): boolean {
  return isOfBrand(identity, brand) && identity.currency === currency;
}

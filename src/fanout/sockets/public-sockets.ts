import { createAttempts } from '../../access/sessions/attempts.ts';
import type { ErrorCode } from '../../contracts/errors/codes.ts';
import { Counts } from '../../lib/counts.ts';
import type { Clock } from '../../ports.ts';
import { publicLimits as limits } from '../base/limits.ts';
import type { Connection } from '../connections/connection.ts';
import type { Scope } from '../scope/scope.ts';

interface PublicRefusal {
  readonly code: Extract<ErrorCode, 'rate_limited' | 'too_many_connections' | 'overloaded'>;
  readonly retryAfterSeconds?: number;
}

/**
 * Sockets of the public feed, within limits of their own: no client with a credential is refused because of
 * them (docs/rules/feeds.md "Public feed").
 */
export class PublicSockets {
  readonly #ofAddress: number;
  /** In the order of their opening. */
  readonly #open = new Set<Connection>();
  readonly #addresses = new Counts();
  readonly #brands = new Counts();
  readonly #scopes = new Counts();
  /** Scopes of each brand, which differ in their currency. */
  readonly #scopesOfBrand = new Counts();
  #openScopes = 0;
  readonly #handshakesOfAddress: ReturnType<typeof createAttempts>;
  readonly #handshakes: ReturnType<typeof createAttempts>;

  constructor(clock: Clock, ofAddress: number = limits.ofAddress) {
    this.#ofAddress = ofAddress;
    this.#handshakesOfAddress = createAttempts(clock, limits.handshakesOfAddress);
    this.#handshakes = createAttempts(clock, limits.handshakes);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Counts a handshake; otherwise why there are too many. */
  handshakeRefusal(address: string): PublicRefusal | null {
    const ofAddress = this.#handshakesOfAddress.blockedSeconds(address);
    if (ofAddress > 0) return { code: 'rate_limited', retryAfterSeconds: ofAddress };
    this.#handshakesOfAddress.count(address);
    if (this.#handshakes.blockedSeconds('') > 0) return { code: 'overloaded' };
    this.#handshakes.count('');
    return null;
  }

  /** Why no more of the address may be opened there; null: it may. */
  refusal(address: string, { key, brand }: Scope): PublicRefusal | null {
    if (this.#addresses.of(address) >= this.#ofAddress) return { code: 'too_many_connections' };
    const isNewScope = this.#scopes.of(key) === 0;
    const hasRoom =
      this.size < limits.sockets &&
      this.#brands.of(brand ?? '') < limits.ofBrand &&
      (!isNewScope ||
        (this.#openScopes < limits.scopes && this.#scopesOfBrand.of(brand ?? '') < limits.scopesOfBrand));
    return hasRoom ? null : { code: 'overloaded' };
  }

  add(connection: Connection, { key, brand }: Scope): void {
    this.#open.add(connection);
    this.#addresses.add(connection.address);
    this.#brands.add(brand ?? '');
    if (this.#scopes.of(key) === 0) {
      this.#openScopes += 1;
      this.#scopesOfBrand.add(brand ?? '');
    }
    this.#scopes.add(key);
  }

  delete(connection: Connection): void {
    const { address, scope } = connection;
    if (scope === null || !this.#open.delete(connection)) return;
    this.#addresses.remove(address);
    this.#brands.remove(scope.brand ?? '');
    this.#scopes.remove(scope.key);
    if (this.#scopes.of(scope.key) > 0) return;
    this.#openScopes -= 1;
    this.#scopesOfBrand.remove(scope.brand ?? '');
  }

  /** The one that gives its place to a socket with a credential; null: all are on their way out. */
  dispensable(): Connection | null {
    for (const connection of this.#open) if (connection.closing === null) return connection;
    return null;
  }
}

import type { ServicePrincipal } from '../access/principal.ts';
import { brandOf, operatorOf } from '../contracts/identifiers.ts';
import type { KnownInstance } from '../directory/lane-view.ts';
import type { Replica } from '../directory/replica.ts';
import type { Connection } from './connection.ts';

/**
 * What a group of connections may see: connections with equal rights share one scope, one set of topics and one encoding
 * of every event. The player feed adds a scope of its own beside the service's.
 */
export interface Scope {
  /** Equal for equal rights. */
  readonly key: string;
  /** Updates of all visible instances; a narrowed connection hears `<topic>/<instance>`. */
  readonly topic: string;
  readonly operator: string;
  /** Scopes with the same one get the same bytes of an update. */
  readonly updateEncoding: string;
  sees(known: KnownInstance): boolean;
  /** Whether a player of that brand (path) is shown by name; masked otherwise. */
  showsPlayersOf(brand: string): boolean;
  /** False where the owner behind it is disabled. */
  enabled(): boolean;
  readonly connections: Set<Connection>;
}

/** O22: the operator's instances and those open to its brands, in full precision, own players by name. */
export function serviceScope(replica: Replica, principal: ServicePrincipal): Scope {
  const { operator, brands } = principal;
  const named = brands === null ? '*' : [...brands].sort().join(',');
  const key = `service ${operator} ${named}`;
  const mayBrand = (path: string) => operatorOf(path) === operator && (brands === null || brands.has(path));
  return {
    key,
    topic: key,
    operator,
    updateEncoding: 'service',
    sees(known) {
      if (!replica.visibleTo({ kind: 'operator', operator }, known)) return false;
      const { owner } = known.description;
      if (operatorOf(owner) !== operator) return known.configuration.allowedBrands?.some(mayBrand) ?? false;
      return brandOf(owner) === null || mayBrand(owner);
    },
    showsPlayersOf: mayBrand,
    enabled: () => replica.operator(operator)?.enabled !== false,
    connections: new Set(),
  };
}

/** The scopes that somebody listens in. */
export class Scopes {
  readonly #byKey = new Map<string, Scope>();

  join(wanted: Scope, connection: Connection): Scope {
    const scope = this.#byKey.get(wanted.key) ?? wanted;
    this.#byKey.set(scope.key, scope);
    scope.connections.add(connection);
    return scope;
  }

  leave(scope: Scope, connection: Connection): void {
    scope.connections.delete(connection);
    if (scope.connections.size === 0) this.#byKey.delete(scope.key);
  }

  all(): Iterable<Scope> {
    return this.#byKey.values();
  }
}

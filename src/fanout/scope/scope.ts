import { authorize } from '../../access/rights/authorize.ts';
import type { ServicePrincipal } from '../../access/rights/principal.ts';
import { brandOf, operatorOf } from '../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { exactMoney, type Money, playerMoney } from './money.ts';

/** How members of a scope see players and money. Equal for all who get the same bytes. */
export interface Viewer {
  readonly money: Money;
  /** Whether a player of that brand (path) is shown by name; masked otherwise. */
  showsPlayer(brand: string, player: string): boolean;
}

/**
 * What a group of connections may see: those with equal rights share a scope, its topics and one encoding of
 * each event.
 */
export interface Scope extends Viewer {
  readonly kind: 'service' | 'players';
  /** Equal for equal rights. */
  readonly key: string;
  readonly operator: string;
  /** The brand (path) of players; null: a service. */
  readonly brand: string | null;
  /** Scopes with the same one get the same bytes of a ticker. */
  readonly tickerEncoding: string;
  sees(known: KnownInstance): boolean;
  /** False where its operator or brand is disabled. */
  enabled(): boolean;
}

/** O22: the operator's instances and those open to its brands, in full precision, own players by name. */
export function serviceScope(readModel: ReadModel, principal: ServicePrincipal): Scope {
  const { operator, brands } = principal;
  const named = brands === null ? '*' : [...brands].sort().join(',');
  const mayBrand = (path: string) => authorize(principal, 'read', path) === 'allowed';
  return {
    kind: 'service',
    key: `service ${operator} ${named}`,
    operator,
    brand: null,
    tickerEncoding: 'service',
    money: exactMoney,
    sees(known) {
      if (!readModel.visibleTo({ kind: 'operator', operator }, known)) return false;
      const { owner } = known.description;
      if (operatorOf(owner) !== operator) return known.configuration.allowedBrands?.some(mayBrand) ?? false;
      return brandOf(owner) === null || mayBrand(owner);
    },
    showsPlayer: mayBrand,
    enabled: () => readModel.operator(operator)?.enabled !== false,
  };
}

/** O21: the instances open to the brand, in the player's currency; other players are masked. */
export function playersScope(readModel: ReadModel, brand: string, currency: string): Scope {
  const key = `players ${brand} ${currency}`;
  return {
    kind: 'players',
    key,
    operator: operatorOf(brand),
    brand,
    tickerEncoding: key,
    money: playerMoney(readModel, brand, currency),
    sees: (known) => readModel.visibleTo({ kind: 'brand', brand }, known),
    showsPlayer: () => false,
    enabled: () => readModel.brand(brand)?.enabled === true,
  };
}

/** What one player of a scope sees of himself. */
export function ownView(scope: Scope, player: string): Viewer {
  return {
    money: scope.money,
    showsPlayer: (brand, shown) => brand === scope.brand && shown === player,
  };
}

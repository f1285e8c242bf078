import { authorize } from '../../access/rights/authorize.ts';
import type { ServicePrincipal } from '../../access/rights/principal.ts';
import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { serviceView, type Viewer } from '../../directory/events/viewer.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import { agreesTo, hasPublicFeed, hasSetting, isPublic } from '../../directory/public-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { playerMoney } from '../../directory/shown-money.ts';

/**
 * What a group of connections may see: those with equal rights share a scope, its topics and one encoding of
 * each event.
 */
export interface Scope extends Viewer {
  readonly kind: 'service' | 'players' | 'public';
  /** Equal for equal rights. */
  readonly key: string;
  readonly operator: string;
  /** The brand (path) of players and the public; null: a service. */
  readonly brand: string | null;
  /** Scopes with the same one get the same bytes of a ticker. */
  readonly tickerEncoding: string;
  sees(known: KnownInstance): boolean;
  showsWins(known: KnownInstance): boolean;
  /** False where its operator or brand is disabled. */
  enabled(): boolean;
}

/** O22: the operator's instances and those open to its brands, in full precision, own players by name. */
export function serviceScope(readModel: ReadModel, principal: ServicePrincipal): Scope {
  const { operator, brands } = principal;
  const named = brands === null ? '*' : [...brands].sort().join(',');
  return {
    ...serviceView(operator, (path) => authorize(principal, 'read', path) === 'allowed'),
    kind: 'service',
    key: `service ${operator} ${named}`,
    operator,
    brand: null,
    tickerEncoding: 'service',
    showsWins: () => true,
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
    showsWins: () => true,
    showsPlayer: () => false,
    enabled: () => readModel.brand(brand)?.enabled === true,
  };
}

/** The public feed: what brand and owners show to everybody, in a currency or each jackpot in its own. */
export function publicScope(readModel: ReadModel, brand: string, currency: string | null): Scope {
  const key = `public ${brand} ${currency ?? ''}`;
  return {
    kind: 'public',
    key,
    operator: operatorOf(brand),
    brand,
    publicOf: brand,
    tickerEncoding: key,
    money: playerMoney(readModel, brand, currency),
    sees: (known) => isPublic(readModel, brand, known),
    showsWins: (known) =>
      hasSetting(readModel, brand, 'public_winners') && agreesTo(readModel, brand, known, 'public_winners'),
    showsPlayer: () => false,
    enabled: () => hasPublicFeed(readModel, brand),
  };
}

/** What one player of a scope sees of himself. */
export function ownView(scope: Scope, player: string): Viewer {
  return {
    money: scope.money,
    showsPlayer: (brand, shown) => brand === scope.brand && shown === player,
  };
}

import { brandOf, operatorOf } from '../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../lane-view.ts';
import { exactMoney, type Money } from '../shown-money.ts';

/** How those who get the same bytes of an event see players and money. */
export interface Viewer {
  readonly money: Money;
  /** Whether a player of that brand (path) is shown by name; masked otherwise. */
  showsPlayer(brand: string, player: string): boolean;
  /** The brand (path) whose public it is, for which there is less of everything; absent: it is none. */
  readonly publicOf?: string;
}

/** What a service of an operator sees (docs/rules/feeds.md "Who sees what"). */
export interface ServiceView extends Viewer {
  sees(known: Pick<KnownInstance, 'configuration' | 'description'>): boolean;
}

/**
 * The operator's instances and those open to the brands that it acts for, in full precision, players of
 * these brands by name.
 */
export function serviceView(operator: string, mayBrand: (path: string) => boolean): ServiceView {
  return {
    money: exactMoney,
    showsPlayer: mayBrand,
    sees({ configuration, description: { owner } }) {
      if (operatorOf(owner) !== operator) return configuration.allowedBrands?.some(mayBrand) ?? false;
      return brandOf(owner) === null || mayBrand(owner);
    },
  };
}

import { minorUnitAtoms } from '../lib/currencies.ts';
import { convertAtoms, exponentOf } from './rates.ts';
import type { ReadModel } from './read-model.ts';

export interface Shown {
  readonly atoms: bigint;
  readonly currency: string;
}

/** How those who see the same see amounts. */
export interface Money {
  /** An amount of zero or more, in `currency`. */
  show(atoms: bigint, currency: string): Shown;
  /** What `show` hangs on beside the amount; another value: the same amount may be shown differently. */
  basis(): unknown;
}

/** Services: as the books have it. */
export const exactMoney: Money = {
  show: (atoms, currency) => ({ atoms, currency }),
  basis: () => null,
};

/**
 * Players and the public: in the currency that they asked for, rounded down to its minor unit. An amount that
 * the brand's rates cannot convert is shown in its own currency; null: every amount.
 */
export function playerMoney(readModel: ReadModel, brand: string, currency: string | null): Money {
  const floored = (atoms: bigint, of: string): Shown => {
    const unit = minorUnitAtoms(exponentOf(readModel.rates(brand), of) ?? 8);
    return { atoms: atoms - (atoms % unit), currency: of };
  };
  return {
    show(atoms, of) {
      const table = readModel.rates(brand);
      const wanted = currency ?? of;
      const converted = of === wanted ? atoms : table && convertAtoms(table, atoms, of, wanted);
      return converted === null || converted === undefined ? floored(atoms, of) : floored(converted, wanted);
    },
    basis: () => readModel.rates(brand),
  };
}

/** Why a player of the brand may not be shown values in that currency; null: they may. */
export function currencyFault(
  readModel: ReadModel,
  brand: string,
  currency: string,
): 'currency_unknown' | 'currency_not_supported' | null {
  const table = readModel.rates(brand);
  if (exponentOf(table, currency) === null) return 'currency_unknown';
  if (table !== undefined && Object.hasOwn(table.multipliers, currency)) return null;
  // Without a rate only what is in that currency already can be shown in it.
  for (const known of readModel.lanes.instances.values()) {
    if (known.configuration.currency === currency && readModel.visibleTo({ kind: 'brand', brand }, known))
      return null;
  }
  return 'currency_not_supported';
}

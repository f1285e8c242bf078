import { minorUnitExponent } from '../../lib/currencies.ts';
import {
  type Fraction,
  isPositiveFraction,
  multiplierDecimals,
  one,
  parseFraction,
  zero,
} from '../../lib/fraction.ts';
import type { SetRates } from '../../messages/lane-commands.ts';

interface Rate {
  readonly text: string;
  /** Parsed when it is needed first: of the thousand members that a table may have, a lane uses a few. */
  multiplier: Fraction | null;
  readonly exponent: number | null;
}

/** A rate table: units of each currency for one unit of the base currency. */
export class RateTable {
  readonly command: SetRates;
  readonly #rates: ReadonlyMap<string, Rate>;

  private constructor(command: SetRates, rates: ReadonlyMap<string, Rate>) {
    this.command = command;
    this.#rates = rates;
  }

  /** null where a multiplier is not above zero or malformed, or an exponent is not one from 0 to 8. */
  static from(command: SetRates): RateTable | null {
    const rates = new Map<string, Rate>([[command.base, { text: '1', multiplier: one, exponent: null }]]);
    for (const [currency, text, exponent] of command.multipliers) {
      if (!isPositiveFraction(text, multiplierDecimals)) return null;
      if (exponent !== null && !(Number.isInteger(exponent) && exponent >= 0 && exponent <= 8)) return null;
      rates.set(currency, { text, multiplier: null, exponent });
    }
    return new RateTable(command, rates);
  }

  get version(): number {
    return this.command.version;
  }

  has(currency: string): boolean {
    return this.#rates.has(currency);
  }

  exponentOf(currency: string): number | null {
    return this.#rates.get(currency)?.exponent ?? null;
  }

  /** x·m[to]/m[from], rounded down. Both currencies must be in the table. */
  convert(atoms: bigint, from: string, to: string): bigint {
    const source = multiplierOf(this.#rates.get(from)!);
    const target = multiplierOf(this.#rates.get(to)!);
    return (atoms * target.scaled * source.scale) / (target.scale * source.scaled);
  }
}

function multiplierOf(rate: Rate): Fraction {
  rate.multiplier ??= parseFraction(rate.text, multiplierDecimals) ?? zero;
  return rate.multiplier;
}

/** The lane's rate tables: the default one and those of brands that override it. */
export class RateBook {
  readonly #tables = new Map<string, RateTable>();

  /** False where the table is not usable. An older version than the one in force changes nothing. */
  set(command: SetRates): boolean {
    const table = RateTable.from(command);
    if (table === null) return false;
    if (command.version < this.version(command.brand)) return true;
    if (command.brand !== '' && command.multipliers.length === 0) this.#tables.delete(command.brand);
    else this.#tables.set(command.brand, table);
    return true;
  }

  version(brand: string): number {
    return this.#tables.get(brand)?.version ?? 0;
  }

  /** The table in force for a brand: its own, else the default one. */
  inForce(brand: string): RateTable | null {
    return this.#tables.get(brand) ?? this.#tables.get('') ?? null;
  }

  isKnown(currency: string): boolean {
    if (minorUnitExponent(currency) !== null) return true;
    for (const table of this.#tables.values()) if (table.has(currency)) return true;
    return false;
  }

  /** Digits of the currency's smallest unit: the table's word, else ISO 4217's, else any table's; null: unknown. */
  exponentOf(currency: string, brand: string): number | null {
    const known = this.inForce(brand)?.exponentOf(currency) ?? minorUnitExponent(currency);
    return known ?? this.#tables.get('')?.exponentOf(currency) ?? null;
  }

  tables(): readonly RateTable[] {
    return [...this.#tables.values()];
  }

  commands(): readonly SetRates[] {
    return [...this.#tables.values()].map((table) => table.command);
  }
}

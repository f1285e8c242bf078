import { minorUnitExponent } from '../../../lib/currencies.ts';
import {
  type Fraction,
  isPositiveFraction,
  multiplierDecimals,
  one,
  parseFraction,
  zero,
} from '../../../lib/fraction.ts';
import type { SetRates } from '../../../messages/lane-commands.ts';
import { RateMembers } from './rate-members.ts';

interface Rate {
  readonly multiplier: Fraction;
  readonly exponent: number | null;
}

/** A rate table: units of each currency for one unit of the base currency. */
export class RateTable {
  readonly #facts: Omit<SetRates, 'multipliers'>;
  readonly #members: RateMembers;
  /** Those that were asked for: of the thousand members that a table may have, a lane uses a few. */
  readonly #rates = new Map<string, Rate>();

  private constructor({ multipliers, ...facts }: SetRates) {
    this.#facts = facts;
    this.#members = new RateMembers(multipliers);
  }

  /** null where a multiplier is not above zero or malformed, or an exponent is not one from 0 to 8. */
  static from(command: SetRates): RateTable | null {
    for (const [, text, exponent] of command.multipliers) {
      if (!isPositiveFraction(text, multiplierDecimals)) return null;
      if (exponent !== null && !(Number.isInteger(exponent) && exponent >= 0 && exponent <= 8)) return null;
    }
    return new RateTable(command);
  }

  /** The command that set it. */
  get command(): SetRates {
    return { ...this.#facts, multipliers: this.#members.list() };
  }

  get brand(): string {
    return this.#facts.brand;
  }

  get version(): number {
    return this.#facts.version;
  }

  get updatedMs(): number {
    return this.#facts.updatedMs;
  }

  has(currency: string): boolean {
    return currency === this.#facts.base || this.#members.has(currency);
  }

  exponentOf(currency: string): number | null {
    return this.#rate(currency)?.exponent ?? null;
  }

  /** x·m[to]/m[from], rounded down. Both currencies must be in the table. */
  convert(atoms: bigint, from: string, to: string): bigint {
    const source = this.#rate(from)!.multiplier;
    const target = this.#rate(to)!.multiplier;
    return (atoms * target.scaled * source.scale) / (target.scale * source.scaled);
  }

  #rate(currency: string): Rate | null {
    const known = this.#rates.get(currency);
    if (known !== undefined) return known;
    const member = this.#members.get(currency);
    if (member === null) return currency === this.#facts.base ? rateOfBase : null;
    const multiplier = parseFraction(member.multiplier, multiplierDecimals) ?? zero;
    const rate = { multiplier, exponent: member.exponent };
    this.#rates.set(currency, rate);
    return rate;
  }
}

const rateOfBase: Rate = { multiplier: one, exponent: null };

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

  /**
   * Digits of the currency's smallest unit: the word of `table`, else ISO 4217's, else the default table's; null: unknown.
   * `table`: the one that a payment is priced with, where that is not the one in force.
   */
  exponentOf(currency: string, brand: string, table: RateTable | null = this.inForce(brand)): number | null {
    const known = table?.exponentOf(currency) ?? minorUnitExponent(currency);
    return known ?? this.#tables.get('')?.exponentOf(currency) ?? null;
  }

  tables(): readonly RateTable[] {
    return [...this.#tables.values()];
  }

  commands(): readonly SetRates[] {
    return [...this.#tables.values()].map((table) => table.command);
  }
}

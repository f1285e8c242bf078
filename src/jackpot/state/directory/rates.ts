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

  /** Digits of the smallest unit: by `table`, else ISO 4217, else the default table; null: unknown. */
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

type Member = SetRates['multipliers'][number];

/**
 * The members of a rate table as one text and one array: the collector would copy a thousand objects in each
 * lane, and the lane would wait for it (docs/decisions/0065).
 */
export class RateMembers {
  /** A line each: the currency as JSON text, its multiplier, its exponent or nothing, separated by tabs. */
  readonly #text: string;
  /** Where lines begin, plus one, by the hash of their currency; 0: free. */
  readonly #places: Int32Array;

  /** Multipliers without tabs or line breaks. Of a currency that stands twice, the second one counts. */
  constructor(members: readonly Member[]) {
    const lines = members.map(lineOf);
    this.#text = lines.join('');
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(2 * members.length + 1)));
    let at = 0;
    for (const [index, [currency]] of members.entries()) {
      this.#places[this.#placeOf(currency)] = at + 1;
      at += lines[index]!.length;
    }
  }

  get(currency: string): { readonly multiplier: string; readonly exponent: number | null } | null {
    const at = this.#places[this.#placeOf(currency)]! - 1;
    if (at < 0) return null;
    const [, multiplier = '', exponent = ''] = this.#text.slice(at, this.#text.indexOf('\n', at)).split('\t');
    return { multiplier, exponent: exponent === '' ? null : Number(exponent) };
  }

  has(currency: string): boolean {
    return this.#places[this.#placeOf(currency)] !== 0;
  }

  /** All of them, as they were given. */
  list(): readonly Member[] {
    return this.#text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [currency = '', multiplier = '', exponent = ''] = line.split('\t');
        return [nameOf(currency), multiplier, exponent === '' ? null : Number(exponent)];
      });
  }

  /** Its place, or the free one that it would take. */
  #placeOf(currency: string): number {
    const mask = this.#places.length - 1;
    const begin = `${JSON.stringify(currency)}\t`;
    let place = hashOf(currency) & mask;
    for (;;) {
      const at = this.#places[place]! - 1;
      if (at < 0 || this.#text.startsWith(begin, at)) return place;
      place = (place + 1) & mask;
    }
  }
}

function lineOf([currency, multiplier, exponent]: Member): string {
  return `${JSON.stringify(currency)}\t${multiplier}\t${exponent ?? ''}\n`;
}

function nameOf(json: string): string {
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1);
}

/** FNV-1a of its UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

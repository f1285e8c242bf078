import { type Fraction, parseFraction, shareDecimals } from './fraction.ts';
import { parseAmount } from './money.ts';

/** An unchecked JSON object. */
export type Document = Readonly<Record<string, unknown>>;

/** Reads members of an unchecked document: every malformed member becomes a fault, nothing throws. */
export class Reader {
  readonly faults: string[];
  readonly #document: Document;
  readonly #path: string;

  constructor(document: unknown, path: string, faults: string[]) {
    this.faults = faults;
    this.#path = path;
    if (isDocument(document)) this.#document = document;
    else {
      this.#document = {};
      if (document !== undefined && document !== null)
        faults.push(`${path || 'configuration'} must be an object`);
    }
  }

  has(name: string): boolean {
    const value = this.#document[name];
    return value !== undefined && value !== null;
  }

  raw(name: string): unknown {
    return this.has(name) ? this.#document[name] : undefined;
  }

  at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  fault(name: string, message: string): void {
    this.faults.push(`${name === '' ? this.#path : this.at(name)} ${message}`);
  }

  child(name: string): Reader {
    return new Reader(this.raw(name), this.at(name), this.faults);
  }

  text(name: string, fallback: string | null): string {
    const value = this.raw(name);
    if (value === undefined && fallback !== null) return fallback;
    if (typeof value === 'string' && value !== '') return value;
    this.fault(name, value === undefined ? 'is missing' : 'must be a text that is not empty');
    return fallback ?? '';
  }

  currency(name: string): string {
    const currency = this.text(name, null);
    if (currency !== '' && !/^[A-Z0-9]{2,12}$/.test(currency)) this.fault(name, 'must be a currency code');
    return currency;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.raw(name);
    if (value === undefined) return fallback;
    const found = allowed.find((each) => each === value);
    if (found === undefined) this.fault(name, `must be one of ${allowed.join(', ')}`);
    return found ?? fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.raw(name);
    if (value === undefined) return fallback;
    if (typeof value !== 'boolean') this.fault(name, 'must be true or false');
    return value === true;
  }

  integer(name: string, min: number, fallback: number | null): number | null {
    const value = this.raw(name);
    if (value === undefined) return fallback;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
    this.fault(name, `must be an integer of at least ${min}`);
    return fallback;
  }

  /** An amount of zero or more. */
  amount(name: string, fallback: bigint | null): bigint | null {
    const value = this.raw(name);
    if (value === undefined) return fallback;
    const parsed = nonNegativeAmount(value);
    if (parsed === null) this.fault(name, 'must be an amount of zero or more with at most 8 decimals');
    return parsed ?? fallback;
  }

  requiredAmount(name: string): bigint {
    if (!this.has(name)) this.fault(name, 'is missing');
    return this.amount(name, null) ?? 0n;
  }

  fraction(name: string, fallback: Fraction): Fraction {
    const value = this.raw(name);
    if (value === undefined) return fallback;
    const parsed = parseFraction(value, shareDecimals);
    if (parsed === null)
      this.fault(name, `must be a share of zero or more with at most ${shareDecimals} decimals`);
    return parsed ?? fallback;
  }

  list(name: string): readonly unknown[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.fault(name, 'must be a list');
    return [];
  }

  texts(name: string): readonly string[] {
    const texts = this.list(name).filter((each): each is string => typeof each === 'string' && each !== '');
    if (texts.length !== this.list(name).length) this.fault(name, 'must hold texts only');
    return texts;
  }

  /** `[{currency, value}]`: an amount per currency. */
  amounts(name: string): ReadonlyMap<string, bigint> {
    const amounts = new Map<string, bigint>();
    this.list(name).forEach((each, index) => {
      const item = new Reader(each, `${this.at(name)}[${index}]`, this.faults);
      const currency = item.currency('currency');
      const value = item.requiredAmount('value');
      if (amounts.has(currency)) item.fault('currency', 'stands twice');
      amounts.set(currency, value);
    });
    return amounts;
  }
}

/** Whether a value is an object, and no list. */
export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `{"Kind": parameters}`: an object with exactly one member. */
export function oneMember(value: unknown): readonly [kind: string, parameters: unknown] | null {
  if (!isDocument(value)) return null;
  const members = Object.entries(value);
  return members.length === 1 ? members[0]! : null;
}

/** An amount of zero or more; null: the value is none. */
export function nonNegativeAmount(value: unknown): bigint | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const parsed = parseAmount(value);
  return parsed.ok && parsed.atoms >= 0n ? parsed.atoms : null;
}

/** Reads a list of `{"Kind": parameters}` of one family. Unknown kinds are faults and left out. */
export function readKinds<K, T>(
  reader: Reader,
  name: string,
  family: Readonly<Record<string, K>>,
  read: (kind: K, name: string, parameters: unknown, path: string) => T,
): readonly T[] {
  return reader.list(name).flatMap((entry, index) => {
    const found = readKind(reader, entry, `${name}[${index}]`, family);
    if (found === null) return [];
    return [read(found.kind, found.name, found.parameters, reader.at(`${name}[${index}]`))];
  });
}

/** The kind that one `{"Kind": parameters}` names; null, with a fault, if the family does not have it. */
export function readKind<K>(
  reader: Reader,
  entry: unknown,
  place: string,
  family: Readonly<Record<string, K>>,
): { readonly name: string; readonly kind: K; readonly parameters: unknown } | null {
  const member = oneMember(entry);
  const kind = member !== null && Object.hasOwn(family, member[0]) ? family[member[0]] : undefined;
  if (member === null || kind === undefined) {
    reader.fault(place, `must be an object with one key of ${Object.keys(family).join(', ')}`);
    return null;
  }
  return { name: member[0], kind, parameters: member[1] };
}

/** Exact numbers for the oracle: amounts are atoms, fractions two integers. Nothing here is shared with the engine. */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

export const maxAmount = 90_000_000_000n * 100_000_000n;

/** A plain decimal text as a fraction. */
export function ratio(text: unknown): Ratio {
  const [units = '0', decimals = ''] = String(text).split('.');
  return { n: BigInt(units + decimals), d: 10n ** BigInt(decimals.length) };
}

/** A plain decimal text of units, in atoms. */
export function amount(text: unknown): bigint {
  const { n, d } = ratio(text);
  return (n * 100_000_000n) / d;
}

/** floor(x · r). */
export function part(x: bigint, r: Ratio): bigint {
  return (x * r.n) / r.d;
}

export function sum(ratios: readonly Ratio[]): Ratio {
  return ratios.reduce((a, b) => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d }), { n: 0n, d: 1n });
}

export function smallest(first: bigint, ...rest: readonly bigint[]): bigint {
  let found = first;
  for (const each of rest) if (each < found) found = each;
  return found;
}

export function largest(first: bigint, ...rest: readonly bigint[]): bigint {
  return -smallest(-first, ...rest.map((each) => -each));
}

export function atLeastZero(x: bigint): bigint {
  return x > 0n ? x : 0n;
}

const iso: Readonly<Record<string, number>> = { EUR: 2, USD: 2, GBP: 2, JPY: 0, KWD: 3 };

/** Rate tables by brand ('' default), as the commands state them. */
export interface Table {
  readonly version: number;
  readonly base: string;
  readonly multipliers: readonly (readonly [string, string, number | null])[];
}

export class Rates {
  readonly tables = new Map<string, Table>();

  /** The same with a brand's table as it was at another place of the log. */
  with(brand: string, table: Table | undefined): Rates {
    if (table === undefined) return this;
    const rates = new Rates();
    for (const [name, each] of this.tables) rates.tables.set(name, each);
    rates.tables.set(brand, table);
    return rates;
  }

  of(brand: string): Table | undefined {
    return this.tables.get(brand) ?? this.tables.get('');
  }

  multiplier(brand: string, currency: string): Ratio | undefined {
    const table = this.of(brand);
    const found = table?.multipliers.find(([code]) => code === currency);
    if (found !== undefined) return ratio(found[1]);
    return table?.base === currency ? { n: 1n, d: 1n } : undefined;
  }

  /** x·m[to]/m[from], rounded down. */
  convert(brand: string, x: bigint, from: string, to: string): bigint {
    if (from === to) return x;
    const source = this.multiplier(brand, from)!;
    const target = this.multiplier(brand, to)!;
    return (x * target.n * source.d) / (target.d * source.n);
  }

  isKnown(currency: string): boolean {
    if (currency in iso) return true;
    return [...this.tables.values()].some((table) => table.multipliers.some(([code]) => code === currency));
  }

  minorUnit(brand: string, currency: string): bigint {
    const stated = this.of(brand)?.multipliers.find(([code]) => code === currency)?.[2];
    return 10n ** BigInt(8 - (stated ?? iso[currency] ?? 2));
  }
}

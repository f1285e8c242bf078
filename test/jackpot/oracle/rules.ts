import { amount, type Ratio, ratio } from './numbers.ts';

// biome-ignore lint/suspicious/noExplicitAny: configuration documents are read as they stand.
export type Json = any;

/** The defaults of docs/rules/configuration.md, read from a document each time they are needed. */
export function rulesOf(document: Json) {
  const rules = document.contribution_rules;
  const operator = rules.operator_contribution_percentage ?? (rules.opt_in_required ? '0' : '1');
  return {
    type: rules.contribution_type as Json,
    optIn: rules.opt_in_required === true,
    perCurrency: rules.opt_in_per_currency === true,
    operator: ratio(operator),
    qualifiedOnly: rules.qualified_contribution_only !== false,
    allowedBrands: (rules.allowed_brands ?? null) as readonly string[] | null,
    black: (rules.country_filters?.black_list ?? []) as readonly string[],
    white: (rules.country_filters?.white_list ?? []) as readonly string[],
  };
}

export function alternative(list: Json, currency: string): bigint | undefined {
  const found = (list ?? []).find((each: Json) => each.currency === currency);
  return found === undefined ? undefined : amount(found.value);
}

export function meets(criteria: Json, wager: bigint, c: bigint): boolean {
  return wager >= amount(criteria?.min_base_wager ?? 0) && c >= amount(criteria?.min_contribution ?? 0);
}

/** share(Fixed x) = min(x, left), share(Percentage p) = floor(C·p), limited by what is left. */
export function share(kind: Json, of: bigint, left: bigint): bigint {
  const wanted = kind === undefined ? 0n : 'Fixed' in kind ? amount(kind.Fixed) : times(of, kind.Percentage);
  return wanted < left ? wanted : left;
}

export function percentage(kind: Json): Ratio {
  return kind !== undefined && 'Percentage' in kind ? ratio(kind.Percentage) : { n: 0n, d: 1n };
}

export function maxOf(pot: Json): bigint | null {
  const text = pot.maximum_pot_value;
  return text === undefined || text === null || text === '' ? null : amount(text);
}

function times(x: bigint, p: Json): bigint {
  const { n, d } = ratio(p);
  return (x * n) / d;
}

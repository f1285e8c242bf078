import type { Json } from '../../lib/canonical-json.ts';

/**
 * What a column holds: `integer` up to 2^53; `amount` up to the largest balance; `sum` without a limit that
 * money meets; `time` of the log; `day` of UTC; `hex` bytes.
 */
export type ColumnKind = keyof ValueOfKind;

/** Its value in rows of this process. Amounts and sums are atoms, times are milliseconds. */
interface ValueOfKind {
  readonly integer: number;
  readonly amount: bigint;
  readonly sum: bigint;
  readonly text: string;
  readonly time: number;
  readonly day: string;
  readonly boolean: boolean;
  readonly json: Json;
  readonly hex: string;
}

export interface Column {
  readonly kind: ColumnKind;
  readonly meaning: string;
  /** The column with the currency of an amount, or the currency in words; null: no amount. */
  readonly currency: string | null;
  /** NULL means that something is not there. */
  readonly isNullable: boolean;
  /** The id of a player. */
  readonly isPerson: boolean;
  /** What a request said beside it, in which anything may stand: it goes with the id. */
  readonly isOfPerson: boolean;
}

export type ValueOf<C> = C extends { readonly kind: infer K extends ColumnKind; readonly isNullable: infer N }
  ? N extends true
    ? ValueOfKind[K] | null
    : ValueOfKind[K]
  : never;

type Of<K extends ColumnKind> = Column & { readonly kind: K; readonly isNullable: false };
type OptionalOf<K extends ColumnKind> = Column & { readonly kind: K; readonly isNullable: true };

function make<K extends ColumnKind>(kind: K, meaning: string, currency: string | null = null): Of<K> {
  return { kind, meaning, currency, isNullable: false, isPerson: false, isOfPerson: false };
}

/** Columns of each kind. */
export const column = {
  integer: (meaning: string) => make('integer', meaning),
  text: (meaning: string) => make('text', meaning),
  time: (meaning: string) => make('time', meaning),
  day: (meaning: string) => make('day', meaning),
  flag: (meaning: string) => make('boolean', meaning),
  json: (meaning: string) => make('json', meaning),
  hex: (meaning: string) => make('hex', meaning),
  amount: (currency: string, meaning: string) => make('amount', meaning, currency),
  sum: (currency: string, meaning: string) => make('sum', meaning, currency),
  person: (meaning: string): Of<'text'> => ({ ...make('text', meaning), isPerson: true }),
  /** Empty, or any text of a request. */
  remark: (meaning: string): OptionalOf<'text'> => ({
    ...make('text', meaning),
    ...{ isNullable: true, isOfPerson: true },
  }),
  /** A column that may be empty. */
  optional: <K extends ColumnKind>(given: Of<K>): OptionalOf<K> => ({ ...given, isNullable: true }),
} as const;

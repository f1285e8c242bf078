import type { Json } from '../../lib/canonical-json.ts';

/**
 * What a column holds: `integer` up to 2^53; `amount` up to the largest balance; `sum` without a limit that money meets;
 * `time` of the log; `day` of UTC; `hex` bytes.
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
}

export type ValueOf<C> = C extends { readonly kind: infer K extends ColumnKind; readonly isNullable: infer N }
  ? N extends true
    ? ValueOfKind[K] | null
    : ValueOfKind[K]
  : never;

type Of<K extends ColumnKind> = Column & { readonly kind: K; readonly isNullable: false };
type OptionalOf<K extends ColumnKind> = Column & { readonly kind: K; readonly isNullable: true };

function column<K extends ColumnKind>(kind: K, meaning: string, currency: string | null = null): Of<K> {
  return { kind, meaning, currency, isNullable: false, isPerson: false };
}

export const integer = (meaning: string) => column('integer', meaning);
export const text = (meaning: string) => column('text', meaning);
export const time = (meaning: string) => column('time', meaning);
export const day = (meaning: string) => column('day', meaning);
export const flag = (meaning: string) => column('boolean', meaning);
export const json = (meaning: string) => column('json', meaning);
export const hex = (meaning: string) => column('hex', meaning);
export const amount = (currency: string, meaning: string) => column('amount', meaning, currency);
export const sum = (currency: string, meaning: string) => column('sum', meaning, currency);
export const person = (meaning: string): Of<'text'> => ({ ...column('text', meaning), isPerson: true });

/** The column may be empty. */
export function optional<K extends ColumnKind>(given: Of<K>): OptionalOf<K> {
  return { ...given, isNullable: true };
}

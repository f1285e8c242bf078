import type { ColumnKind } from '../../base/columns.ts';
import { storableJson, storableText } from '../shared/texts.ts';

/** Columns of rows as arrays in PostgreSQL's text form: one value of a statement for each column. */

/** What an array of a kind is sent as. Amounts are sent as atoms. */
export const sentTypes: Readonly<Record<ColumnKind, string>> = {
  integer: 'bigint[]',
  amount: 'bigint[]',
  sum: 'numeric[]',
  text: 'text[]',
  time: 'bigint[]',
  day: 'date[]',
  boolean: 'boolean[]',
  json: 'text[]',
  hex: 'text[]',
};

/** What a sent value becomes in its column. */
export function storedValue(kind: ColumnKind, sent: string): string {
  switch (kind) {
    case 'amount':
    case 'sum':
      return `${sent} * 0.00000001`;
    case 'time':
      return `timestamptz 'epoch' + ${sent} * interval '1 millisecond'`;
    case 'json':
      return `${sent}::jsonb`;
    default:
      return sent;
  }
}

export function arrayText(kind: ColumnKind, values: readonly unknown[]): string {
  return `{${values.map(elementWriter(kind)).join(',')}}`;
}

function elementWriter(kind: ColumnKind): (value: unknown) => string {
  switch (kind) {
    case 'text':
    case 'hex':
      return (value) => (value === null ? 'NULL' : quotedElement(storableText(value as string)));
    case 'json':
      // JSON has null as a value of its own: a column that may be empty is empty then.
      return (value) => (value === null ? 'NULL' : quotedElement(storableJson(value)));
    default:
      return (value) => (value === null ? 'NULL' : String(value));
  }
}

function quotedElement(text: string): string {
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
}

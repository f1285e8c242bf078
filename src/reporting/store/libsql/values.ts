import type { ColumnKind } from '../../base/columns.ts';
import { storableJson, storableText } from '../shared/texts.ts';

/** A value as its column in libsql holds it. */
export function boundValue(kind: ColumnKind, value: unknown): string | number | bigint | null {
  if (value === null) return null;
  switch (kind) {
    case 'sum':
      return String(value);
    case 'boolean':
      return value === true ? 1 : 0;
    case 'text':
      return storableText(value as string);
    case 'json':
      return storableJson(value);
    default:
      return value as string | number | bigint;
  }
}

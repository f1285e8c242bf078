import type { BooksTable } from '../base/tables.ts';

/** A figure of the books that is not what others say that it must be. */
export interface Finding {
  readonly table: BooksTable;
  readonly instance: string;
  /** `house`, `mega.current`; null: the finding is of no account. */
  readonly account: string | null;
  /** null: of no day. */
  readonly day: string | null;
  /** The column, and of a single row its place. */
  readonly what: string;
  /** Amounts in units. */
  readonly expected: string;
  readonly found: string;
}

/** One line for people. */
export function findingText({ table, instance, account, day, what, expected, found }: Finding): string {
  const where = [instance, account, day].filter((each) => each !== null).join(', ');
  return `${table} of ${where}: ${what} is ${found}, expected ${expected}`;
}

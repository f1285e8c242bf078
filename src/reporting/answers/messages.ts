import type { BooksPlace } from '../store/open.ts';

/** Where the books are, and whose. */
export interface BooksReach {
  readonly place: BooksPlace;
  readonly systemId: string;
}

/** What the thread that answers is told, and what it says. */
export interface ToAnswers {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly books: BooksReach;
}

export type FromAnswers =
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly bug: Error | string };

import { openLibsqlBooks, openNextLibsqlBooks, swapLibsqlBooks } from './libsql/open.ts';
import type { BooksUse } from './postgres/connection.ts';
import { dropNextPostgresBooks, nextSchema, openPostgresBooks, swapPostgresBooks } from './postgres/open.ts';
import type { BooksStore } from './store.ts';

/** Where the books are: PostgreSQL at a URL, or files of a directory. */
export type BooksPlace = { readonly url: string } | { readonly directory: string };

/** Opens the books, and makes them where there are none. @throws StoreError */
export function openStore(
  place: BooksPlace,
  systemId: string,
  use: BooksUse = 'writing',
): Promise<BooksStore> {
  return 'url' in place
    ? openPostgresBooks(place.url, systemId, undefined, use)
    : openLibsqlBooks(place.directory, systemId);
}

/** Books that are made beside the ones in use: after a loss or damage, or for tables of another release. */
interface Rebuild {
  readonly store: BooksStore;
  /**
   * Closes the new books and puts them in the place of the old ones, in one step. Who writes to those is
   * fenced, opens the new ones and goes on at their positions.
   */
  swap(): Promise<void>;
}

/** New, empty books beside the ones in use; what an earlier attempt left is gone. @throws StoreError */
export async function beginRebuild(place: BooksPlace, systemId: string): Promise<Rebuild> {
  const store = await openNext(place, systemId);
  return {
    store,
    async swap() {
      await store.close();
      await ('url' in place ? swapPostgresBooks(place.url) : swapLibsqlBooks(place.directory));
    },
  };
}

async function openNext(place: BooksPlace, systemId: string): Promise<BooksStore> {
  if (!('url' in place)) return openNextLibsqlBooks(place.directory, systemId);
  await dropNextPostgresBooks(place.url);
  return openPostgresBooks(place.url, systemId, nextSchema);
}

import { StoreError } from '../base/errors.ts';
import { openStore } from '../store/open.ts';
import type { BooksStore } from '../store/store.ts';
import type { BooksReach } from './messages.ts';

interface OpenBooks {
  readonly of: string;
  readonly store: Promise<BooksStore>;
  /** null: they are being opened. */
  opened: BooksStore | null;
  /** Questions that read them now. */
  readers: number;
}

/** The books as questions read them: opened at the first, and again where others have taken their place. */
export class ReadStore {
  #open: OpenBooks | null = null;

  /** @throws StoreError */
  async with<T>(books: BooksReach, work: (store: BooksStore) => Promise<T>): Promise<T> {
    const open = this.#enter(books);
    try {
      open.opened = await open.store;
      return await work(open.opened);
    } catch (error) {
      const passes = error instanceof StoreError && error.code === 'reporting_unavailable';
      // The next question opens others; those that read these go on with them.
      if (this.#open === open && (!passes || open.opened === null)) this.#open = null;
      throw error;
    } finally {
      open.readers -= 1;
      await this.#closeUnused(open);
    }
  }

  #enter(books: BooksReach): OpenBooks {
    const of = JSON.stringify(books);
    const before = this.#open;
    if (before !== null && (before.of !== of || before.opened?.isCurrent() === false)) {
      this.#open = null;
      this.#closeUnused(before).catch(() => {});
    }
    const store = () => openStore(books.place, books.systemId, 'reading');
    this.#open ??= { of, store: store(), opened: null, readers: 0 };
    this.#open.readers += 1;
    return this.#open;
  }

  async #closeUnused(open: OpenBooks): Promise<void> {
    const { opened } = open;
    if (this.#open === open || open.readers > 0 || opened === null) return;
    open.opened = null;
    await opened.close();
  }
}

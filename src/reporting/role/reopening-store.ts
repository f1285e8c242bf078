import { StoreError } from '../base/errors.ts';
import type { ForgottenPlayer, ForgottenPlayers } from '../base/forgotten.ts';
import type { LaneBatch, LanePosition, StreamBatch } from '../base/lane-batch.ts';
import type { SideStream } from '../base/side-tables.ts';
import type { LaneStore } from '../lane/lane-writer.ts';
import type { BooksStore } from '../store/store.ts';
import type { StreamStore } from '../streams/stream-keeper.ts';

interface OpenStore extends LaneStore, StreamStore, Pick<BooksStore, 'forget'> {
  close(): Promise<void>;
}

/**
 * The database of the books, opened when it is needed, and again once it has refused something: it may have
 * been made anew since.
 */
export class ReopeningStore implements LaneStore, StreamStore {
  readonly #open: () => Promise<OpenStore>;
  readonly #report: (error: unknown) => void;
  #store: Promise<OpenStore> | null = null;

  constructor(open: () => Promise<OpenStore>, report: (error: unknown) => void) {
    this.#open = open;
    this.#report = report;
  }

  position(lane: number): Promise<LanePosition | null> {
    return this.#with((store) => store.position(lane));
  }

  write(batch: LaneBatch): Promise<void> {
    return this.#with((store) => store.write(batch));
  }

  streamPosition(stream: SideStream): Promise<number | null> {
    return this.#with((store) => store.streamPosition(stream));
  }

  writeStream(batch: StreamBatch): Promise<void> {
    return this.#with((store) => store.writeStream(batch));
  }

  forget(players: ForgottenPlayers): Promise<readonly ForgottenPlayer[]> {
    return this.#with((store) => store.forget(players));
  }

  async close(): Promise<void> {
    const store = this.#store;
    this.#store = null;
    await store?.then(
      (opened) => opened.close(),
      () => {},
    );
  }

  async #with<T>(work: (store: OpenStore) => Promise<T>): Promise<T> {
    this.#store ??= this.#open();
    const store = this.#store;
    try {
      return await work(await store);
    } catch (error) {
      const passes = error instanceof StoreError && error.code === 'reporting_unavailable';
      const isOpen = await store.then(
        () => true,
        () => false,
      );
      if (this.#store === store && !(passes && isOpen)) this.close().catch(this.#report);
      throw error;
    }
  }
}

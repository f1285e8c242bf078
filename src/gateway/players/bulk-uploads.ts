import { AddressCounts } from '../http/address-counts.ts';

/** Uploads that a gateway works on at a time, of an administrator and in all: each is up to 50,000 rows in memory. */
const maxOfAdministrator = 4;
const maxOpen = 16;

/** The bulk opt-ins of all administrators that this gateway works on. */
export class BulkUploads {
  readonly #ofAdministrator = new AddressCounts(maxOfAdministrator);
  #open = 0;
  /** As many as there are lanes; none rejects. */
  readonly #last = new Map<number, Promise<unknown>>();

  /** False: there are too many already. An upload that was admitted must be left. */
  admit(administrator: string): boolean {
    if (this.#open >= maxOpen || !this.#ofAdministrator.take(administrator)) return false;
    this.#open += 1;
    return true;
  }

  leave(administrator: string): void {
    this.#open -= 1;
    this.#ofAdministrator.release(administrator);
  }

  /**
   * Work for a lane, one piece at a time for the whole gateway: contributions get in between, and uploads take turns, because
   * each asks for its next turn when the last one is over.
   */
  inTurn<T>(lane: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(lane) ?? Promise.resolve();
    const mine = before.then(work);
    this.#last.set(lane, mine.then(nothing, nothing));
    return mine;
  }
}

function nothing(): void {}

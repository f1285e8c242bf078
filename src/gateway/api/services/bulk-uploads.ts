import { AddressCounts } from '../../base/address-counts.ts';
import { partyOf, type Writer } from './readers.ts';

/** Uploads under way, each of up to 50,000 rows in memory: of an administrator, an operator, all. */
const maxOfAdministrator = 4;
const maxOfOperator = 8;
const maxOpen = 16;

/** The bulk opt-ins of all administrators that this gateway works on. */
export class BulkUploads {
  readonly #ofAdministrator = new AddressCounts(maxOfAdministrator);
  readonly #ofOperator = new AddressCounts(maxOfOperator);
  #open = 0;
  /** As many as there are lanes; none rejects. */
  readonly #last = new Map<number, Promise<unknown>>();

  /** False: there are too many already. An upload that was admitted must be left. */
  admit(administrator: Writer): boolean {
    if (this.#open >= maxOpen || !this.#ofAdministrator.take(administrator.subject)) return false;
    if (!this.#ofOperator.take(partyOf(administrator))) {
      this.#ofAdministrator.release(administrator.subject);
      return false;
    }
    this.#open += 1;
    return true;
  }

  leave(administrator: Writer): void {
    this.#open -= 1;
    this.#ofAdministrator.release(administrator.subject);
    this.#ofOperator.release(partyOf(administrator));
  }

  /** Works for a lane, one piece at a time in the gateway: contributions get in between. */
  inTurn<T>(lane: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(lane) ?? Promise.resolve();
    const mine = before.then(work);
    this.#last.set(lane, mine.then(nothing, nothing));
    return mine;
  }
}

function nothing(): void {}

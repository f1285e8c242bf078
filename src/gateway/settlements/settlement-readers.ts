import { PublicError } from '../errors.ts';

/** Lists that a gateway reads at the same time: each may ask the lanes for hundreds of slices. */
const maxReaders = 4;

/** The lists of settlements that one gateway reads now. */
export class SettlementReaders {
  #reading = 0;

  /** @throws PublicError overloaded while there are too many */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#reading >= maxReaders) throw new PublicError('overloaded');
    this.#reading += 1;
    try {
      return await work();
    } finally {
      this.#reading -= 1;
    }
  }
}

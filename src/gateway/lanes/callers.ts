import { batchLimits } from './limits.ts';

/**
 * What is known of a lane's callers: about how many there are, and whether waiting for all of them was worth it of late
 * (docs/decisions/0012). Callers who send their next command when they have an answer come back at once; those who come by chance do not.
 */
export class Callers {
  /** The most that waited at once of late. */
  #count = 1;
  /** Batches that leave without waiting for anybody. */
  #unawaited = 0;
  /** How many there will be after the next wait in vain. */
  #penalty = 1;
  /** Waits for which all came, one after the other. */
  #fulfilled = 0;

  /** So many commands have no answer now. */
  saw(outstanding: number): void {
    this.#count = Math.max(this.#count, outstanding);
  }

  /** Those who wait are all who can be expected. */
  areAll(waiting: number): boolean {
    return waiting >= this.#count;
  }

  /** Those who wait are half of so many that one half is synced while the other is read and answered. */
  areHalf(waiting: number): boolean {
    return this.#count >= batchLimits.halvedFrom && waiting * 2 >= this.#count;
  }

  /** A batch may wait for those who have just been answered, or will be soon. */
  get areAwaited(): boolean {
    return this.#count < batchLimits.halvedFrom && this.#unawaited === 0;
  }

  /** A batch leaves. `isFulfilled`: it waited, and all came. */
  left(isFulfilled: boolean): void {
    this.#count *= batchLimits.rememberedCallers;
    this.#unawaited = Math.max(0, this.#unawaited - 1);
    if (!isFulfilled) return;
    this.#fulfilled += 1;
    if (this.#fulfilled % batchLimits.forgivingWaits === 0) this.#penalty = Math.max(1, this.#penalty / 2);
  }

  /** A batch waited in vain: there are only so many. */
  missed(outstanding: number): void {
    this.#count = Math.max(1, outstanding);
    this.#fulfilled = 0;
    this.#unawaited = this.#penalty;
    this.#penalty = Math.min(2 * this.#penalty, batchLimits.maxUnawaited);
  }
}

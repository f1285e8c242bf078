/** Rows that come in the order of their days, gathered day by day: `add` takes each into what a day has. */
export class ByDay<R, D> {
  readonly #rows: AsyncIterator<R>;
  readonly #dayOf: (row: R) => string;
  readonly #begin: () => D;
  readonly #add: (day: D, row: R) => void;
  #next: IteratorResult<R> | null = null;

  constructor(
    rows: AsyncIterable<R>,
    dayOf: (row: R) => string,
    begin: () => D,
    add: (day: D, row: R) => void,
  ) {
    this.#rows = rows[Symbol.asyncIterator]();
    this.#dayOf = dayOf;
    this.#begin = begin;
    this.#add = add;
  }

  /** The next day that has rows; null: there is none. */
  async nextDay(): Promise<string | null> {
    this.#next ??= await this.#rows.next();
    return this.#next.done === true ? null : this.#dayOf(this.#next.value);
  }

  /** What the day has, whose turn it is if it has any rows. */
  async take(day: string): Promise<D> {
    const taken = this.#begin();
    while ((await this.nextDay()) === day) {
      this.#add(taken, (this.#next as IteratorYieldResult<R>).value);
      this.#next = null;
    }
    return taken;
  }
}

interface Open {
  /** Rises over the lane. */
  readonly number: number;
  readonly transactionId: string;
  readonly instance: string;
}

/** Open items of a lane, in the order of opening. Items are replaced and never changed, so a list of them is a copy. */
export class OpenBook<T extends Open> {
  readonly #items = new Map<string, T>();
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#items.size;
  }

  get(transactionId: string): T | null {
    return this.#items.get(transactionId) ?? null;
  }

  /** Adds an item, or replaces it in its place. */
  set(item: T): void {
    if (!this.#items.has(item.transactionId)) this.#count(item.instance, 1);
    this.#items.set(item.transactionId, item);
  }

  delete(transactionId: string): void {
    const item = this.#items.get(transactionId);
    if (item === undefined) return;
    this.#items.delete(transactionId);
    this.#count(item.instance, -1);
  }

  countOf(instance: string): number {
    return this.#counts.get(instance) ?? 0;
  }

  all(): Iterable<T> {
    return this.#items.values();
  }

  /** At most `limit` items behind number `after`. */
  page(after: number, limit: number, wanted: (item: T) => boolean): readonly T[] {
    const found: T[] = [];
    for (const item of this.#items.values()) {
      if (found.length >= limit) break;
      if (item.number > after && wanted(item)) found.push(item);
    }
    return found;
  }

  #count(instance: string, change: number): void {
    const count = this.countOf(instance) + change;
    if (count === 0) this.#counts.delete(instance);
    else this.#counts.set(instance, count);
  }
}

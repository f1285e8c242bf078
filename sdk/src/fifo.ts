const minWaste = 1_024;

/** A queue whose ends cost the same at any length. Who uses it bounds it. */
export class Fifo<T> {
  #items: T[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#first === this.#items.length) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first] = undefined as T;
    this.#first += 1;
    if (this.#first >= minWaste && this.#first * 2 >= this.#items.length) this.#compact();
    return item;
  }

  /** In front of the others, in their order. */
  putFirst(items: readonly T[]): void {
    this.#items = [...items, ...this.toArray()];
    this.#first = 0;
  }

  toArray(): T[] {
    return this.#items.slice(this.#first);
  }

  #compact(): void {
    this.#items = this.toArray();
    this.#first = 0;
  }
}

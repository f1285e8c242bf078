interface Open {
  /** Rises over the lane. */
  readonly number: number;
  readonly transactionId: string;
  readonly instance: string;
  readonly brand: string;
}

/** Fewer holes of deleted items than this are left as they are. */
const minHoles = 64;

/**
 * Open items of a lane, in order of opening. Items are replaced, never changed, so a list of them is a copy.
 */
export class OpenBook<T extends Open> {
  /** Hears of each change; null after it: the item is over. */
  listener: ((before: T | null, after: T | null) => void) | null = null;
  readonly #byId = new Map<string, T>();
  readonly #ofInstance = new Map<string, number>();
  readonly #ofBrand = new Map<string, number>();
  /** Both columns are in the order of numbers: a page begins where it is asked to, without a scan. */
  #numbers: number[] = [];
  #ordered: (T | null)[] = [];

  get size(): number {
    return this.#byId.size;
  }

  get(transactionId: string): T | null {
    return this.#byId.get(transactionId) ?? null;
  }

  numbered(number: number): T | null {
    const place = this.#placeBehind(number - 1);
    return this.#numbers[place] === number ? this.#ordered[place]! : null;
  }

  /** Adds an item, whose number is the highest so far, or replaces it in its place. */
  set(item: T): void {
    const known = this.#byId.get(item.transactionId);
    this.#byId.set(item.transactionId, item);
    this.listener?.(known ?? null, item);
    if (known === undefined) {
      this.#numbers.push(item.number);
      this.#ordered.push(item);
      this.#count(item, 1);
    } else this.#ordered[this.#placeBehind(known.number - 1)] = item;
  }

  delete(transactionId: string): void {
    const item = this.#byId.get(transactionId);
    if (item === undefined) return;
    this.#byId.delete(transactionId);
    this.listener?.(item, null);
    this.#ordered[this.#placeBehind(item.number - 1)] = null;
    this.#count(item, -1);
    if (this.#ordered.length > 2 * this.#byId.size + minHoles) this.#compact();
  }

  countOf(instance: string): number {
    return this.#ofInstance.get(instance) ?? 0;
  }

  /** Whether the brand has fewer items than are free: however many fill their part, another has room. */
  hasRoom(brand: string, max: number): boolean {
    const free = max - this.#byId.size;
    return free > this.#byId.size || (this.#ofBrand.get(brand) ?? 0) < free;
  }

  all(): Iterable<T> {
    return this.#byId.values();
  }

  /** At most `limit` items with numbers above `after`. */
  page(after: number, limit: number, wanted: (item: T) => boolean): readonly T[] {
    const found: T[] = [];
    for (const item of this.behind(after)) {
      if (found.length >= limit) break;
      if (wanted(item)) found.push(item);
    }
    return found;
  }

  /** The items with numbers above `after`, in order. */
  *behind(after: number): Iterable<T> {
    for (let place = this.#placeBehind(after); place < this.#ordered.length; place += 1) {
      const item = this.#ordered[place]!;
      if (item !== null) yield item;
    }
  }

  *newestFirst(): Iterable<T> {
    for (let place = this.#ordered.length - 1; place >= 0; place -= 1) {
      const item = this.#ordered[place]!;
      if (item !== null) yield item;
    }
  }

  /** The first place whose number is above `after`. */
  #placeBehind(after: number): number {
    let low = 0;
    let high = this.#numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#numbers[middle]! > after) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #compact(): void {
    this.#ordered = this.#ordered.filter((item) => item !== null);
    this.#numbers = this.#ordered.map((item) => item!.number);
  }

  #count({ instance, brand }: T, change: number): void {
    add(this.#ofInstance, instance, change);
    add(this.#ofBrand, brand, change);
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Entries of a heap that may be out of date for each one that is not. */
const maxStaleRatio = 2;
const minStale = 64;

interface Entry<Key> {
  readonly key: Key;
  readonly atMs: number;
}

/** Keys by moment in a binary heap; outdated entries stay until they come to its top. */
export class EarliestFirst<Key> {
  readonly #before: (a: Key, b: Key) => boolean;
  readonly #moments = new Map<Key, number>();
  #heap: Entry<Key>[] = [];

  constructor(before: (a: Key, b: Key) => boolean) {
    this.#before = before;
  }

  /** Entries that are held, those out of date included. */
  get size(): number {
    return this.#heap.length;
  }

  /** null: the key has no moment. */
  set(key: Key, atMs: number | null): void {
    const known = this.#moments.get(key);
    if (atMs === null) this.#moments.delete(key);
    else if (known !== atMs) {
      this.#moments.set(key, atMs);
      this.#push({ key, atMs });
    }
    if (this.#heap.length > minStale + maxStaleRatio * this.#moments.size) this.#rebuild();
  }

  /** null: it has none. */
  of(key: Key): number | null {
    return this.#moments.get(key) ?? null;
  }

  /** null: there is none. */
  first(): Entry<Key> | null {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#isCurrent(top)) return top;
      this.#pop();
    }
    return null;
  }

  /** The first `limit` of those whose moment has come, in order. */
  firstUntil(untilMs: number, limit: number): readonly Entry<Key>[] {
    const found: Entry<Key>[] = [];
    for (
      let top = this.first();
      top !== null && top.atMs <= untilMs && found.length < limit;
      top = this.first()
    ) {
      found.push(top);
      this.#pop();
      // The same key and moment may have come twice.
      this.#moments.delete(top.key);
    }
    for (const entry of found) {
      this.#moments.set(entry.key, entry.atMs);
      this.#push(entry);
    }
    return found;
  }

  #isCurrent({ key, atMs }: Entry<Key>): boolean {
    return this.#moments.get(key) === atMs;
  }

  #rebuild(): void {
    this.#heap = [];
    for (const [key, atMs] of this.#moments) this.#push({ key, atMs });
  }

  #isBefore(a: Entry<Key>, b: Entry<Key>): boolean {
    return a.atMs < b.atMs || (a.atMs === b.atMs && this.#before(a.key, b.key));
  }

  #push(entry: Entry<Key>): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#isBefore(entry, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    const count = heap.length;
    if (last === undefined || count === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      if (child + 1 < count && this.#isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!this.#isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

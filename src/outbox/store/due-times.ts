interface Due {
  readonly id: string;
  readonly atMs: number;
}

/** Ids by the time at which they are due, the earliest first: a binary heap. */
export class DueTimes {
  readonly #heap: Due[] = [];

  get earliestMs(): number | null {
    return this.#heap[0]?.atMs ?? null;
  }

  add(id: string, atMs: number): void {
    const heap = this.#heap;
    let at = heap.push({ id, atMs }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.atMs <= atMs) break;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  /** The earliest id that is due, which leaves. */
  takeDue(nowMs: number): Due | null {
    const first = this.#heap[0];
    if (first === undefined || first.atMs > nowMs) return null;
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(item: Due): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.atMs < heap[child]!.atMs) child += 1;
      if (heap[child]!.atMs >= item.atMs) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = item;
  }
}

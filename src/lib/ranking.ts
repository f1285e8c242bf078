/**
 * The highest of many values with their places; of equal ones the lower place. A heap, the least at its root.
 */
export class Ranking {
  readonly #limit: number;
  readonly #highs: Float64Array;
  readonly #lows: Float64Array;
  readonly #places: Uint32Array;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#highs = new Float64Array(limit);
    this.#lows = new Float64Array(limit);
    this.#places = new Uint32Array(limit);
  }

  /** A value with a lower high half has no place in the ranking. */
  get minHigh(): number {
    return this.#count < this.#limit ? 0 : this.#highs[0]!;
  }

  /** One with this high half needs a higher low one, or a place before all others. */
  get minLow(): number {
    return this.#count < this.#limit ? -1 : this.#lows[0]!;
  }

  /** A value of lib/wide's two halves. */
  offer(high: number, low: number, place: number): void {
    if (this.#count < this.#limit) {
      this.#count += 1;
      this.#rise(this.#count - 1, high, low, place);
    } else if (this.#isBehind(0, high, low, place)) this.#sink(0, high, low, place);
  }

  /** Places, the highest value first; afterwards the ranking is empty. */
  taken(): readonly number[] {
    const places: number[] = [];
    while (this.#count > 0) {
      places.push(this.#places[0]!);
      this.#count -= 1;
      const last = this.#count;
      if (last > 0) this.#sink(0, this.#highs[last]!, this.#lows[last]!, this.#places[last]!);
    }
    return places.reverse();
  }

  #rise(from: number, high: number, low: number, place: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isBehind(parent, high, low, place)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, high, low, place);
  }

  #sink(from: number, high: number, low: number, place: number): void {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#count) break;
      const other = child + 1;
      if (other < this.#count && this.#isBehindOther(other, child)) child = other;
      if (!this.#isBehind(child, high, low, place)) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, high, low, place);
  }

  /** Whether the entry at `at` ranks after a value. */
  #isBehind(at: number, high: number, low: number, place: number): boolean {
    if (this.#highs[at] !== high) return this.#highs[at]! < high;
    if (this.#lows[at] !== low) return this.#lows[at]! < low;
    return this.#places[at]! > place;
  }

  #isBehindOther(at: number, other: number): boolean {
    return this.#isBehind(at, this.#highs[other]!, this.#lows[other]!, this.#places[other]!);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#highs[from]!, this.#lows[from]!, this.#places[from]!);
  }

  #set(at: number, high: number, low: number, place: number): void {
    this.#highs[at] = high;
    this.#lows[at] = low;
    this.#places[at] = place;
  }
}

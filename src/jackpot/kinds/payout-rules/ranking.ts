/** The highest of many values, each with its ordinal; of equal ones the lower ordinal. A heap with the least at its root. */
export class Ranking {
  readonly #limit: number;
  readonly #highs: Float64Array;
  readonly #lows: Float64Array;
  readonly #ordinals: Uint32Array;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#highs = new Float64Array(limit);
    this.#lows = new Float64Array(limit);
    this.#ordinals = new Uint32Array(limit);
  }

  /** A value of lib/wide's two halves. */
  offer(high: number, low: number, ordinal: number): void {
    if (this.#count < this.#limit) {
      this.#count += 1;
      this.#rise(this.#count - 1, high, low, ordinal);
    } else if (this.#isBehind(0, high, low, ordinal)) this.#sink(0, high, low, ordinal);
  }

  /** Ordinals, the highest value first; afterwards the ranking is empty. */
  taken(): readonly number[] {
    const ordinals: number[] = [];
    while (this.#count > 0) {
      ordinals.push(this.#ordinals[0]!);
      this.#count -= 1;
      const last = this.#count;
      if (last > 0) this.#sink(0, this.#highs[last]!, this.#lows[last]!, this.#ordinals[last]!);
    }
    return ordinals.reverse();
  }

  #rise(from: number, high: number, low: number, ordinal: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isBehind(parent, high, low, ordinal)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, high, low, ordinal);
  }

  #sink(from: number, high: number, low: number, ordinal: number): void {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#count) break;
      const other = child + 1;
      if (other < this.#count && this.#isBehindOther(other, child)) child = other;
      if (!this.#isBehind(child, high, low, ordinal)) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, high, low, ordinal);
  }

  /** Whether what stands at `at` ranks behind a value. */
  #isBehind(at: number, high: number, low: number, ordinal: number): boolean {
    if (this.#highs[at] !== high) return this.#highs[at]! < high;
    if (this.#lows[at] !== low) return this.#lows[at]! < low;
    return this.#ordinals[at]! > ordinal;
  }

  #isBehindOther(at: number, other: number): boolean {
    return this.#isBehind(at, this.#highs[other]!, this.#lows[other]!, this.#ordinals[other]!);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#highs[from]!, this.#lows[from]!, this.#ordinals[from]!);
  }

  #set(at: number, high: number, low: number, ordinal: number): void {
    this.#highs[at] = high;
    this.#lows[at] = low;
    this.#ordinals[at] = ordinal;
  }
}

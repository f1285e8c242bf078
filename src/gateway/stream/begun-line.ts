const nothing = Buffer.alloc(0);
const minBytes = 1_024;
const keptBytes = 8 * 1_024;

/** The beginning of a line of which the rest has not come, in one buffer: a line may come byte by byte. */
export class BegunLine {
  #bytes: Buffer = nothing;
  length = 0;

  /** It grows with what has come. */
  append(bytes: Buffer, from: number, to: number): void {
    const total = this.length + to - from;
    if (total > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(minBytes, total, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.length, from, to);
    this.length = total;
  }

  /** All of it, good until the next `append`. The next line begins. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length);
    this.length = 0;
    // One long line is no reason to keep its room.
    if (this.#bytes.length > keptBytes) this.#bytes = nothing;
    return taken;
  }

  drop(): void {
    this.#bytes = nothing;
  }
}

/** Bytes of unsigned integers up to 2^53 − 1, seven bits a byte, least significant first (LEB128). */
export class ByteSink {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow();
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  unsigned(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  taken(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2 + 64);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

export class ByteSource {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#position >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#position];
    if (value === undefined) throw new RangeError('the bytes end early');
    this.#position += 1;
    return value;
  }

  unsigned(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = this.byte();
      value += (next & 0x7f) * scale;
      if (next < 0x80) break;
      scale *= 0x80;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('an integer is too wide');
    return value;
  }
}

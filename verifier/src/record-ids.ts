/** The ids that an epoch has a record for: a contribution is applied to an instance once. */
export class RecordIds {
  readonly #sure = new Set<string>();
  /** Behind the mark, until it is set again. */
  #later: Set<string> | null = null;

  /** Returns whether the id is new. */
  add(id: Uint8Array): boolean {
    // A character a byte: an epoch has a million of them.
    const text = String.fromCharCode(...id);
    if (this.#sure.has(text) || this.#later?.has(text) === true) return false;
    (this.#later ?? this.#sure).add(text);
    return true;
  }

  /** Forgets ids added after the last mark. */
  mark(): void {
    this.#later = new Set();
  }
}

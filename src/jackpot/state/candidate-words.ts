/** Room for the candidates of one win after the other: a win of a million candidates asks for no memory of its own. */
export class CandidateWords {
  readonly #arrays: Uint32Array[] = [];
  #taken = 0;

  /** A win begins: what was taken for the last one is free. */
  clear(): void {
    this.#taken = 0;
  }

  /** At least `capacity` words; they are not cleared. */
  take(capacity: number): Uint32Array {
    const index = this.#taken++;
    const known = this.#arrays[index];
    if (known !== undefined && known.length >= capacity) return known;
    // Half as much again, so that a growing number of players does not ask for new room at each win.
    const made = new Uint32Array(Math.ceil(1.5 * capacity));
    this.#arrays[index] = made;
    return made;
  }
}

/** Room for the candidates of one win after another: a win with a million candidates allocates no memory. */
export class CandidateWords {
  readonly #arrays: Uint32Array[] = [];
  #taken = 0;

  /** A win begins: the room of the last one is free. */
  clear(): void {
    this.#taken = 0;
  }

  /** At least `capacity` words; they are not cleared. */
  take(capacity: number): Uint32Array {
    const index = this.#taken++;
    const known = this.#arrays[index];
    if (known !== undefined && known.length >= capacity) return known;
    // Half as much again: a growing number of players does not need new room at each win.
    const made = new Uint32Array(Math.ceil(1.5 * capacity));
    this.#arrays[index] = made;
    return made;
  }
}

/** An entry's place in its line. */
export interface Place {
  readonly id: string;
  readonly line: string;
  /** The record, and the event's place in it. */
  readonly order: readonly [sequence: number, index: number];
}

/** Entries that are sent one after the other: of each line only the first may be tried. */
export class Lines {
  readonly #lines = new Map<string, Place[]>();

  isEmpty(line: string): boolean {
    return !this.#lines.has(line);
  }

  /** The id of the first entry; undefined: there is none. */
  first(line: string): string | undefined {
    return this.#lines.get(line)?.[0]?.id;
  }

  add(place: Place): void {
    const line = this.#lines.get(place.line) ?? [];
    if (line.some(({ id }) => id === place.id)) return;
    const at = line.findLastIndex((each) => isBefore(each, place)) + 1;
    line.splice(at, 0, place);
    this.#lines.set(place.line, line);
  }

  remove({ line: name, id }: Pick<Place, 'line' | 'id'>): void {
    const line = this.#lines.get(name)?.filter((each) => each.id !== id) ?? [];
    if (line.length > 0) this.#lines.set(name, line);
    else this.#lines.delete(name);
  }
}

function isBefore({ order: [sequence, index] }: Place, { order }: Place): boolean {
  return sequence < order[0] || (sequence === order[0] && index < order[1]);
}

import { isUnreadable, type Log, type StoredCommand, type StoredOutcome } from '../../ports.ts';

interface PageSource<T> {
  read(from: number): Promise<readonly T[]>;
  one(sequence: number): Promise<T | null>;
}

/** The commands of a lane. */
export function commandPages(
  log: Pick<Log, 'readCommand' | 'readCommands'>,
  lane: number,
): Pages<StoredCommand> {
  return new Pages({
    read: (from) => log.readCommands(lane, from),
    one: (sequence) => log.readCommand(lane, sequence),
  });
}

/** The outcome records of a lane. */
export function outcomePages(
  log: Pick<Log, 'readOutcome' | 'readOutcomes'>,
  lane: number,
): Pages<StoredOutcome> {
  return new Pages({
    read: (from) => log.readOutcomes(lane, from),
    one: (sequence) => log.readOutcome(lane, sequence),
  });
}

/** Reads a stream in order by pages. What a page leaves out is asked for one by one. */
export class Pages<T extends { readonly sequence: number }> {
  readonly #source: PageSource<T>;
  #page: readonly T[] = [];
  #place = 0;
  #missingTo = 0;

  constructor(source: PageSource<T>) {
    this.#source = source;
  }

  /**
   * The message; null: it is gone or cannot be read. Sequences only rise from call to call.
   * @throws LogError outages; `corrupt` where a writer without permission wrote it
   */
  async at(sequence: number): Promise<T | null> {
    if (sequence <= this.#missingTo) return null;
    if (this.#ahead(sequence) === undefined) {
      this.#page = await this.#source.read(sequence).catch((error: unknown) => {
        // One of its messages is: the others are read one by one.
        if (isUnreadable(error)) return [];
        throw error;
      });
      this.#place = 0;
    }
    const next = this.#ahead(sequence);
    if (next?.sequence === sequence) return next;
    const single = await this.#source.one(sequence);
    if (single === null && next !== undefined) this.#missingTo = next.sequence - 1;
    return single;
  }

  #ahead(sequence: number): T | undefined {
    while (this.#place < this.#page.length && this.#page[this.#place]!.sequence < sequence) this.#place += 1;
    return this.#page[this.#place];
  }
}

import type { DrawGroup } from '../jackpot/draw/recorder.ts';
import {
  firstPageEnding,
  firstPageOpening,
  furtherPageEnding,
  furtherPageOpening,
  groupPieces,
} from './epoch-document.ts';

/** What a page holds of groups. A group is never cut: one that is larger is alone on its page. */
export interface PageLimit {
  readonly textBytes: number;
  readonly records: number;
}

export interface EpochPage {
  readonly page: number;
  /** Its text, in parts: copying megabytes together would hold up the lane. */
  readonly parts: readonly Uint8Array[];
}

/**
 * Makes the pages of a revealed epoch, group by group. No more than two of them are kept: the first one, which is ready
 * only at the end, and the one that is being filled.
 */
export class EpochPages {
  readonly #header: string;
  readonly #seed: Uint8Array;
  readonly #limit: PageLimit;
  #firstGroups: readonly Buffer[] = [];
  #page = 0;
  #groups: Buffer[] = [];
  #textBytes = 0;
  #records = 0;
  #full: EpochPage | null = null;

  /** `header`: its JSON text. */
  constructor(header: string, seed: Uint8Array, limit: PageLimit) {
    this.#header = header;
    this.#seed = seed;
    this.#limit = limit;
  }

  /** Writes a group; yields after each piece of work how many records it was. */
  *write(group: DrawGroup): Generator<number> {
    const pieces: Buffer[] = [];
    for (const { records, text } of groupPieces(group)) {
      pieces.push(Buffer.from(text, 'utf8'));
      yield records;
    }
    const textBytes = pieces.reduce((total, { length }) => total + length, 0);
    const fits =
      this.#textBytes + textBytes <= this.#limit.textBytes &&
      this.#records + group.records.length <= this.#limit.records;
    if (this.#groups.length > 0 && !fits) this.#turn();
    if (this.#groups.length > 0) this.#groups.push(Buffer.from(','));
    this.#groups.push(...pieces);
    this.#textBytes += textBytes;
    this.#records += group.records.length;
  }

  /** The page that the last group has found full, to be stored before the next one is written. */
  takeFull(): EpochPage | null {
    const full = this.#full;
    this.#full = null;
    return full;
  }

  /** The pages that are left, in the order in which they are stored: the first one says that all are there. */
  end(next: string): readonly EpochPage[] {
    const pages = this.#page + 1;
    const last = this.#page > 0 ? [this.#furtherPage()] : [];
    const groups = this.#page > 0 ? this.#firstGroups : this.#groups;
    const opening = Buffer.from(firstPageOpening(this.#header, this.#seed, pages));
    const ending = Buffer.from(firstPageEnding(this.#header, next));
    return [...last, { page: 0, parts: [opening, ...groups, ending] }];
  }

  #turn(): void {
    if (this.#page === 0) this.#firstGroups = this.#groups;
    else this.#full = this.#furtherPage();
    this.#page += 1;
    this.#groups = [];
    this.#textBytes = 0;
    this.#records = 0;
  }

  #furtherPage(): EpochPage {
    const opening = Buffer.from(furtherPageOpening(this.#page));
    const parts = [opening, ...this.#groups, Buffer.from(furtherPageEnding)];
    return { page: this.#page, parts };
  }
}

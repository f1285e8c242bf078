import type { DrawGroup } from '../../jackpot/state/lane/recorder.ts';
import type { PageLimit } from '../ports/epoch-ports.ts';
import {
  continuationPageEnding,
  continuationPageOpening,
  firstPageEnding,
  firstPageOpening,
  groupPieces,
} from './document.ts';

/** Text that is kept elsewhere until its page is stored. */
export interface SpilledText {
  read(): Promise<Uint8Array>;
  free(): void;
}

export type PagePart = Uint8Array | SpilledText;

export interface EpochPage {
  readonly page: number;
  /** Its text, in parts: copying megabytes together would hold up the lane. */
  readonly parts: readonly PagePart[];
}

/**
 * Makes the pages of an epoch, group by group. No more than two of them are kept: the first one, which is
 * ready only at the end, and the one that is being filled. Where a page ends depends on the epoch and the
 * limit alone: two owners that make the same page make the same bytes.
 */
export class EpochPages {
  readonly #header: string;
  readonly #limit: PageLimit;
  #firstGroups = new PageText();
  #page = 0;
  #groups = new PageText();
  #textBytes = 0;
  #records = 0;
  #full: EpochPage | null = null;

  /** `header`: its JSON text. */
  constructor(header: string, limit: PageLimit) {
    this.#header = header;
    this.#limit = limit;
  }

  get bufferedBytes(): number {
    return this.#firstGroups.bufferedBytes + this.#groups.bufferedBytes;
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
    if (!this.#groups.isEmpty && !fits) this.#turn();
    if (!this.#groups.isEmpty) this.#groups.add(comma);
    for (const piece of pieces) this.#groups.add(piece);
    this.#textBytes += textBytes;
    this.#records += group.records.length;
  }

  /** The page that the last group has found full, to be stored before the next one is written. */
  drainFull(): EpochPage | null {
    const full = this.#full;
    this.#full = null;
    return full;
  }

  async spill(write: (bytes: Uint8Array) => Promise<SpilledText>): Promise<void> {
    await this.#firstGroups.spill(write);
    await this.#groups.spill(write);
  }

  /** The pages that are left, in the order of storing: the first one says that all are there. */
  end(seed: Uint8Array, next: string): readonly EpochPage[] {
    const pages = this.#page + 1;
    const last = this.#page > 0 ? [this.#continuationPage()] : [];
    const groups = this.#page > 0 ? this.#firstGroups : this.#groups;
    const opening = Buffer.from(firstPageOpening(this.#header, seed, pages));
    const ending = Buffer.from(firstPageEnding(this.#header, next));
    return [...last, { page: 0, parts: [opening, ...groups.parts, ending] }];
  }

  discard(): void {
    for (const part of [...this.#firstGroups.parts, ...this.#groups.parts]) freePart(part);
  }

  #turn(): void {
    if (this.#page === 0) this.#firstGroups = this.#groups;
    else this.#full = this.#continuationPage();
    this.#page += 1;
    this.#groups = new PageText();
    this.#textBytes = 0;
    this.#records = 0;
  }

  #continuationPage(): EpochPage {
    const opening = Buffer.from(continuationPageOpening(this.#page));
    const parts = [opening, ...this.#groups.parts, Buffer.from(continuationPageEnding)];
    return { page: this.#page, parts };
  }
}

export function freePart(part: PagePart): void {
  if (!(part instanceof Uint8Array)) part.free();
}

const comma = Buffer.from(',');

/** The groups of a page: what was spilled of them, and after that what is in memory. */
class PageText {
  #spilled: SpilledText[] = [];
  #buffered: Uint8Array[] = [];
  bufferedBytes = 0;

  get isEmpty(): boolean {
    return this.#buffered.length === 0 && this.#spilled.length === 0;
  }

  get parts(): readonly PagePart[] {
    return [...this.#spilled, ...this.#buffered];
  }

  add(bytes: Uint8Array): void {
    this.#buffered.push(bytes);
    this.bufferedBytes += bytes.length;
  }

  async spill(write: (bytes: Uint8Array) => Promise<SpilledText>): Promise<void> {
    if (this.#buffered.length === 0) return;
    this.#spilled.push(await write(Buffer.concat(this.#buffered)));
    this.#buffered = [];
    this.bufferedBytes = 0;
  }
}

import { HashIndex } from '../../lib/hash-index.ts';

/** Where a key was met first. */
export interface Position {
  readonly sequence: number;
  readonly index: number;
}

export const RETENTION_MS = 24 * 3_600_000;
export const RETENTION_ENTRIES = 2 ** 25;
const SEGMENT_ENTRIES = 8192;
/** Entries count their age in seconds of 16 bits from their segment's beginning. */
const SEGMENT_SECONDS = 65_535;
/** 16 bytes of key, 5 of sequence, 1 of index, 2 of seconds. */
const ENTRY_WORDS = 6;
const FIRST_ENTRIES = 64;

class KeySegment {
  words = new Uint32Array(FIRST_ENTRIES * ENTRY_WORDS);
  count = 0;
  readonly baseMs: number;
  newestMs: number;
  constructor(baseMs: number) {
    this.baseMs = baseMs;
    this.newestMs = baseMs;
  }
}

export interface StoredKeys {
  readonly baseMs: number;
  readonly newestMs: number;
  readonly words: Uint32Array;
}

/** Keys of the lane in order of arrival, for 24 h of log time or the newest 2^25, whichever ends first. */
export class IdempotencyTable {
  #segments: KeySegment[] = [];
  /** Number of the first kept segment since the beginning; entry numbers continue over it. */
  #dropped = 0;
  #entries = 0;
  readonly #index = new HashIndex();

  get size(): number {
    return this.#entries;
  }

  get oldestMs(): number | null {
    return this.#segments[0]?.baseMs ?? null;
  }

  /** Reads what `find` will read: a message's keys are fetched from memory together, not one after the other. */
  warm(key: Uint8Array): number {
    return this.#index.warm(word(key, 0));
  }

  find(key: Uint8Array, nowMs: number): Position | null {
    const a = word(key, 0);
    const b = word(key, 4);
    const c = word(key, 8);
    const d = word(key, 12);
    this.#index.start(a);
    for (let entry = this.#index.next(); entry >= 0; entry = this.#index.next()) {
      const segment = this.#segmentOf(entry);
      const words = segment.words;
      const at = (entry % SEGMENT_ENTRIES) * ENTRY_WORDS;
      if (words[at] !== a || words[at + 1] !== b || words[at + 2] !== c || words[at + 3] !== d) continue;
      const last = words[at + 5]!;
      if (segment.baseMs + (last & 0xffff) * 1000 + RETENTION_MS <= nowMs) continue;
      return { sequence: (last >>> 24) * 4_294_967_296 + words[at + 4]!, index: (last >>> 16) & 0xff };
    }
    return null;
  }

  add(key: Uint8Array, sequence: number, index: number, nowMs: number): void {
    const segment = this.#open(nowMs);
    const at = segment.count * ENTRY_WORDS;
    if (at === segment.words.length) {
      const larger = new Uint32Array(Math.min(segment.words.length * 2, SEGMENT_ENTRIES * ENTRY_WORDS));
      larger.set(segment.words);
      segment.words = larger;
    }
    const words = segment.words;
    for (let i = 0; i < 4; i++) words[at + i] = word(key, 4 * i);
    words[at + 4] = sequence % 4_294_967_296;
    // Rounded up: a key may live a moment longer, never shorter.
    const seconds = Math.ceil((nowMs - segment.baseMs) / 1000);
    words[at + 5] = Math.floor(sequence / 4_294_967_296) * 16_777_216 + index * 65_536 + seconds;
    segment.newestMs = nowMs;
    const entry = this.#firstEntry(this.#segments.length - 1) + segment.count;
    segment.count += 1;
    this.#entries += 1;
    this.#index.add(words[at]!, entry);
  }

  /** Drops at most one segment of outlived keys: bounded work for each message. */
  expire(nowMs: number): void {
    const oldest = this.#segments[0];
    if (oldest === undefined) return;
    const tooMany = this.#entries - oldest.count >= RETENTION_ENTRIES;
    if (oldest.newestMs + RETENTION_MS > nowMs && !tooMany) return;
    const first = this.#firstEntry(0);
    for (let i = 0; i < oldest.count; i++) this.#index.remove(oldest.words[i * ENTRY_WORDS]!, first + i);
    this.#segments.shift();
    this.#dropped += 1;
    this.#entries -= oldest.count;
  }

  /** What is stored now; entries are only ever appended, so the arrays may be read later. */
  stored(): readonly StoredKeys[] {
    return this.#segments.map(({ baseMs, newestMs, words, count }) => ({
      baseMs,
      newestMs,
      words: words.subarray(0, count * ENTRY_WORDS),
    }));
  }

  adopt(stored: StoredKeys): void {
    const segment = new KeySegment(stored.baseMs);
    segment.newestMs = stored.newestMs;
    segment.count = stored.words.length / ENTRY_WORDS;
    segment.words = new Uint32Array(
      Math.max(FIRST_ENTRIES, 2 ** Math.ceil(Math.log2(segment.count))) * ENTRY_WORDS,
    );
    segment.words.set(stored.words);
    this.#segments.push(segment);
    this.#entries += segment.count;
    const first = this.#firstEntry(this.#segments.length - 1);
    for (let i = 0; i < segment.count; i++) this.#index.add(segment.words[i * ENTRY_WORDS]!, first + i);
  }

  #open(nowMs: number): KeySegment {
    const last = this.#segments[this.#segments.length - 1];
    const fits =
      last !== undefined && last.count < SEGMENT_ENTRIES && nowMs - last.baseMs < SEGMENT_SECONDS * 1000;
    if (fits) return last;
    const segment = new KeySegment(nowMs);
    this.#segments.push(segment);
    return segment;
  }

  #segmentOf(entry: number): KeySegment {
    const number = Math.floor(entry / SEGMENT_ENTRIES);
    // Entry numbers wrap below the index's 32 bits; segments are told apart by their number within that.
    return this.#segments[(number - this.#dropped) & (SEGMENTS - 1)]!;
  }

  #firstEntry(segment: number): number {
    return ((this.#dropped + segment) & (SEGMENTS - 1)) * SEGMENT_ENTRIES;
  }
}

/** Segment numbers before they begin again: twice the most that are ever kept at full size. */
const SEGMENTS = 2 ** 18;

function word(key: Uint8Array, at: number): number {
  return (key[at]! | (key[at + 1]! << 8) | (key[at + 2]! << 16) | (key[at + 3]! << 24)) >>> 0;
}

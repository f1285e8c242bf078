import { utf8 } from '../../../lib/bytes.ts';
import { HashIndex } from '../../../lib/hash-index.ts';
import { keyHash, type TableSecret } from '../../../lib/keyed-hash.ts';
import type { Steps } from '../../../lib/turns.ts';
import { maxBrands } from '../directory/brands.ts';

/** Where a key was met first. */
export interface Position {
  readonly sequence: number;
  readonly index: number;
}

export const retentionMs = 24 * 3_600_000;
const retentionEntries = 2 ** 25;
const segmentEntries = 8192;
/** Entries count their age in seconds of 16 bits from their segment's beginning. */
const segmentSeconds = 65_535;
/** 16 bytes of key, 5 of sequence, 1 of index, 2 of seconds. */
const entryWords = 6;
const firstEntries = 64;
/** Keys that a step of a restoration enters: few enough for code that runs for the first time. */
const keysPerStep = 1024;

class KeySegment {
  words = new Uint32Array(firstEntries * entryWords);
  count = 0;
  readonly baseMs: number;
  newestMs: number;
  /** Its entries are numbered from `slot · segmentEntries` on. */
  readonly slot: number;
  constructor(baseMs: number, slot: number) {
    this.baseMs = baseMs;
    this.newestMs = baseMs;
    this.slot = slot;
  }
}

/** The keys of one operator, oldest segment first. */
interface OperatorKeys {
  readonly operator: string;
  readonly segments: KeySegment[];
  entries: number;
}

export interface StoredKeys {
  readonly operator: string;
  readonly baseMs: number;
  readonly newestMs: number;
  readonly words: Uint32Array;
}

/**
 * Keys of the lane, for 24 h of log time or the newest 2^25, whichever ends first. A full table drops the
 * oldest keys of the operator with the most: no operator displaces another's.
 */
export class IdempotencyTable {
  readonly #slots: (KeySegment | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  readonly #operators = new Map<string, OperatorKeys>();
  #last: OperatorKeys | null = null;
  #entries = 0;
  /** No segment outlives its keys before then. */
  #nextExpiryMs = Number.POSITIVE_INFINITY;
  readonly #index = new HashIndex();
  readonly #secret: TableSecret;
  readonly #maxEntries: number;

  constructor(secret: TableSecret, maxEntries = retentionEntries) {
    this.#secret = secret;
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#entries;
  }

  get oldestMs(): number | null {
    let oldestMs: number | null = null;
    for (const { segments } of this.#operators.values()) {
      const { baseMs } = segments[0]!;
      if (oldestMs === null || baseMs < oldestMs) oldestMs = baseMs;
    }
    return oldestMs;
  }

  /** Under the secret of this process. */
  hashOf(key: Uint8Array, scope: KeyScope): number {
    return keyHash(this.#secret, word(key, 0, scope), word(key, 1, scope));
  }

  /** Reads what `find` will read, so that a message's keys are fetched from memory together. */
  warm(hash: number): number {
    return this.#index.warm(hash);
  }

  find(key: Uint8Array, scope: KeyScope, nowMs: number, hash = this.hashOf(key, scope)): Position | null {
    if (this.#index.first(hash) < 0) return null;
    const a = word(key, 0, scope);
    const b = word(key, 1, scope);
    const c = word(key, 2, scope);
    const d = word(key, 3, scope);
    this.#index.start(hash);
    for (let entry = this.#index.next(); entry >= 0; entry = this.#index.next()) {
      const segment = this.#slots[Math.floor(entry / segmentEntries)]!;
      const words = segment.words;
      const at = (entry % segmentEntries) * entryWords;
      if (words[at] !== a || words[at + 1] !== b || words[at + 2] !== c || words[at + 3] !== d) continue;
      const last = words[at + 5]!;
      if (segment.baseMs + (last & 0xffff) * 1000 + retentionMs <= nowMs) continue;
      return { sequence: (last >>> 24) * 4_294_967_296 + words[at + 4]!, index: (last >>> 16) & 0xff };
    }
    return null;
  }

  add(
    operator: string,
    key: Uint8Array,
    scope: KeyScope,
    sequence: number,
    index: number,
    nowMs: number,
    hash = this.hashOf(key, scope),
  ): void {
    const keys = this.#of(operator);
    const segment = this.#open(keys, nowMs);
    const at = segment.count * entryWords;
    if (at === segment.words.length) {
      const larger = new Uint32Array(Math.min(segment.words.length * 2, segmentEntries * entryWords));
      larger.set(segment.words);
      segment.words = larger;
    }
    const words = segment.words;
    for (let i = 0; i < 4; i++) words[at + i] = word(key, i, scope);
    // An array of 32-bit words takes the lowest 32 bits.
    words[at + 4] = sequence;
    // Rounded up: a key may live a moment longer, never shorter.
    const seconds = Math.ceil((nowMs - segment.baseMs) / 1000);
    words[at + 5] = Math.floor(sequence / 4_294_967_296) * 16_777_216 + index * 65_536 + seconds;
    segment.newestMs = nowMs;
    const entry = segment.slot * segmentEntries + segment.count;
    segment.count += 1;
    keys.entries += 1;
    this.#entries += 1;
    this.#index.add(hash, entry);
  }

  /**
   * Drops at most one segment of expired keys: bounded work a message. The choice depends on stored data
   * only, not on the order of operators, so a restored table drops the same.
   */
  expire(nowMs: number): void {
    if (nowMs >= this.#nextExpiryMs && this.#dropOutlived(nowMs)) return;
    if (this.#entries <= this.#maxEntries) return;
    const largest = this.#largest();
    if (this.#entries - largest.segments[0]!.count >= this.#maxEntries) this.#drop(largest);
  }

  /** What is stored now; entries are only ever appended, so the arrays may be read later. */
  stored(): readonly StoredKeys[] {
    return [...this.#operators.values()].flatMap(({ operator, segments }) =>
      segments.map(({ baseMs, newestMs, words, count }) => ({
        operator,
        baseMs,
        newestMs,
        words: words.subarray(0, count * entryWords),
      })),
    );
  }

  /** Makes room for the keys of a snapshot, before they come. */
  reserve(entries: number): void {
    this.#index.reserve(Math.min(entries, this.#maxEntries));
  }

  /** Copies a stored segment, some keys a step. Segments of an operator come in order. */
  *adopt(stored: Omit<StoredKeys, 'words'>, words: Uint8Array): Steps<void> {
    const keys = this.#of(stored.operator);
    const segment = this.#begin(keys, stored.baseMs);
    segment.newestMs = stored.newestMs;
    segment.count = words.length / (4 * entryWords);
    segment.words = new Uint32Array(
      Math.max(firstEntries, 2 ** Math.ceil(Math.log2(segment.count))) * entryWords,
    );
    new Uint8Array(segment.words.buffer).set(words);
    keys.entries += segment.count;
    this.#entries += segment.count;
    for (let from = 0; from < segment.count; from += keysPerStep) {
      const to = Math.min(segment.count, from + keysPerStep);
      const hashes = new Int32Array(to - from);
      for (let i = from; i < to; i++) hashes[i - from] = this.#hashAt(segment, i);
      this.#index.addAll(hashes, entryOf(segment, from));
      yield;
    }
  }

  #dropOutlived(nowMs: number): boolean {
    const oldest = this.#oldest();
    if (oldest === null) {
      this.#nextExpiryMs = Number.POSITIVE_INFINITY;
      return false;
    }
    // Not exact after a drop: then the next message looks again.
    this.#nextExpiryMs = oldest.segments[0]!.newestMs + retentionMs;
    if (this.#nextExpiryMs > nowMs) return false;
    this.#drop(oldest);
    return true;
  }

  #of(operator: string): OperatorKeys {
    if (this.#last?.operator === operator) return this.#last;
    let keys = this.#operators.get(operator);
    if (keys === undefined) {
      keys = { operator, segments: [], entries: 0 };
      this.#operators.set(operator, keys);
    }
    this.#last = keys;
    return keys;
  }

  #open(keys: OperatorKeys, nowMs: number): KeySegment {
    const last = keys.segments[keys.segments.length - 1];
    const fits =
      last !== undefined && last.count < segmentEntries && nowMs - last.baseMs < segmentSeconds * 1000;
    return fits ? last : this.#begin(keys, nowMs);
  }

  #begin(keys: OperatorKeys, baseMs: number): KeySegment {
    const slot = this.#freeSlots.pop() ?? this.#slots.length;
    const segment = new KeySegment(baseMs, slot);
    this.#slots[slot] = segment;
    keys.segments.push(segment);
    this.#nextExpiryMs = Math.min(this.#nextExpiryMs, baseMs + retentionMs);
    return segment;
  }

  #drop(keys: OperatorKeys): void {
    const segment = keys.segments.shift()!;
    for (let i = 0; i < segment.count; i++) this.#index.remove(this.#hashAt(segment, i), entryOf(segment, i));
    this.#slots[segment.slot] = undefined;
    this.#freeSlots.push(segment.slot);
    keys.entries -= segment.count;
    this.#entries -= segment.count;
    if (keys.segments.length > 0) return;
    this.#operators.delete(keys.operator);
    if (this.#last === keys) this.#last = null;
  }

  /** Whose first segment is outlived first; of equals the one whose name comes first. */
  #oldest(): OperatorKeys | null {
    let oldest: OperatorKeys | null = null;
    for (const keys of this.#operators.values()) {
      const { newestMs } = keys.segments[0]!;
      const before = oldest === null ? Number.POSITIVE_INFINITY : oldest.segments[0]!.newestMs;
      if (newestMs < before || (newestMs === before && keys.operator < oldest!.operator)) oldest = keys;
    }
    return oldest;
  }

  #largest(): OperatorKeys {
    let largest: OperatorKeys | null = null;
    for (const keys of this.#operators.values()) {
      const largestCount = largest?.entries ?? -1;
      if (keys.entries > largestCount || (keys.entries === largestCount && keys.operator < largest!.operator))
        largest = keys;
    }
    return largest!;
  }

  #hashAt({ words }: KeySegment, entry: number): number {
    return keyHash(this.#secret, words[entry * entryWords]!, words[entry * entryWords + 1]!);
  }
}

function entryOf({ slot }: KeySegment, entry: number): number {
  return slot * segmentEntries + entry;
}

function word(key: Uint8Array, number: number, scope: KeyScope): number {
  const at = 4 * number;
  const own = key[at]! | (key[at + 1]! << 8) | (key[at + 2]! << 16) | (key[at + 3]! << 24);
  return (own ^ scope[number]!) >>> 0;
}

/**
 * The first 16 bytes of SHA-256 of a brand's path, which change its keys (docs/rules/log.md "Idempotency
 * keys").
 */
export type KeyScope = Uint32Array;

/** Keys that are not changed: administrators', and all that were stored before keys were brands'. */
export const ofNoBrand: KeyScope = new Uint32Array(4);

/** The scopes of brands that were asked for. */
export class KeyScopes {
  readonly #sha256: (bytes: Uint8Array) => Uint8Array;
  readonly #known = new Map<string, KeyScope>();
  #last: { readonly brand: string; readonly scope: KeyScope } | null = null;

  constructor(sha256: (bytes: Uint8Array) => Uint8Array) {
    this.#sha256 = sha256;
  }

  of(brand: string): KeyScope {
    if (this.#last?.brand === brand) return this.#last.scope;
    let scope = this.#known.get(brand);
    if (scope === undefined) {
      const bytes = this.#sha256(utf8(brand));
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      scope = Uint32Array.from([0, 4, 8, 12], (at) => view.getUint32(at, true));
      if (this.#known.size >= maxBrands) this.#known.clear();
      this.#known.set(brand, scope);
    }
    this.#last = { brand, scope };
    return scope;
  }
}

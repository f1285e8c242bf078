/** Word offsets within a player's row. Triples are 96-bit sums, lowest word first. */
/** Word 0 is free: it held a hash that a process of today makes under a secret of its own. */
/** Length of the id's bytes in the low half, the brand's number in the high half. */
export const idLengthBrandAt = 1;
/** The id's bytes, lowest first, where they fit; else the first word is their place in the arena. */
export const idWordAt = 2;
export const inlineBytes = 20;
export const pseudonymAt = 7;
/**
 * Bit 0: opted in; bit 1: has an opt-in record; bit 2: out of every currency that no preference names; bit
 * 15: copied by a model switch. High half: number of the last contribution currency, from 1.
 */
export const flagsAt = 11;
export const copiedFlag = 0x8000;
/** Order of the player's first accepted contribution to the instance, from 1; 0 before it. */
export const ordinalAt = 12;
export const countWordAt = 13;
export const valueAt = 14;
export const optInMsAt = 17;
export const potsAt = 19;
/** Words of one pot: lifetime count and gross shares, this cycle's gross shares and its number. */
export const potCountAt = 0;
export const potValueAt = 1;
export const potCycleValueAt = 4;
export const potCycleAt = 6;
export const potRowWords = 7;
/** After a raffle player's pots: the round of the rest, the cost towards the next ticket, the tickets. */
export const raffleRoundAt = 0;
export const raffleCostAt = 1;
export const raffleTicketsAt = 3;
export const raffleRowWords = 5;

export const segmentRows = 4096;
const firstRows = 16;
const firstArena = 256;

export interface Preference {
  readonly currency: string;
  readonly atoms: bigint | null;
  readonly optedIn: boolean;
  readonly updatedMs: number;
  /** The player named the currency as the preferred one; in older states only with a value. */
  readonly isStated?: true;
}

/** Up to 4,096 players of an instance as words without garbage, with their opt-ins and preferences. */
export class PlayerSegment {
  rows: Uint32Array;
  count = 0;
  /** Ids that do not fit a row. */
  arena = new Uint8Array(0);
  arenaUsed = 0;
  readonly preferences: Map<number, readonly Preference[]> = new Map();
  /** Opt-in records by brand number; null: a list has to count them. */
  optInCounts: ReadonlyMap<number, { readonly records: number; readonly optedIn: number }> | null = null;
  /** The last snapshot that has a copy of it, or that it is younger than. */
  captured: number;
  readonly #stride: number;

  constructor(stride: number, captured: number) {
    this.#stride = stride;
    this.captured = captured;
    this.rows = new Uint32Array(firstRows * stride);
  }

  /** Adds a row for an id; returns where its words begin. */
  append(id: Uint8Array, brand: number): number {
    const at = this.count * this.#stride;
    if (at === this.rows.length) {
      const larger = new Uint32Array(this.rows.length * 2);
      larger.set(this.rows);
      this.rows = larger;
    }
    this.rows[at + idLengthBrandAt] = id.length + brand * 65_536;
    if (id.length <= inlineBytes) for (const [i, byte] of id.entries()) this.#setInline(at, i, byte);
    else this.#store(at, id);
    this.count += 1;
    return at;
  }

  #setInline(at: number, i: number, byte: number): void {
    const word = at + idWordAt + (i >> 2);
    this.rows[word] = (this.rows[word]! | (byte << (8 * (i & 3)))) >>> 0;
  }

  #store(at: number, id: Uint8Array): void {
    if (this.arenaUsed + id.length > this.arena.length) {
      const larger = new Uint8Array(Math.max(firstArena, this.arena.length * 2, this.arenaUsed + id.length));
      larger.set(this.arena.subarray(0, this.arenaUsed));
      this.arena = larger;
    }
    this.arena.set(id, this.arenaUsed);
    this.rows[at + idWordAt] = this.arenaUsed;
    this.arenaUsed += id.length;
  }

  /** Takes a copy of the rows and id bytes of a snapshot. */
  restore(rows: Uint8Array, arena: Uint8Array): void {
    this.optInCounts = null;
    this.count = rows.length / (4 * this.#stride);
    const capacity = Math.max(firstRows, 2 ** Math.ceil(Math.log2(Math.max(1, this.count))));
    this.rows = new Uint32Array(capacity * this.#stride);
    new Uint8Array(this.rows.buffer).set(rows);
    this.arena = arena.slice();
    this.arenaUsed = arena.length;
  }

  idAt(at: number): Uint8Array {
    const length = this.rows[at + idLengthBrandAt]! & 0xffff;
    const id = new Uint8Array(length);
    for (let i = 0; i < length; i++) id[i] = this.byteAt(at, length, i);
    return id;
  }

  /** Byte `i` of an id of `length` bytes. */
  byteAt(at: number, length: number, i: number): number {
    if (length > inlineBytes) return this.arena[this.rows[at + idWordAt]! + i]!;
    return (this.rows[at + idWordAt + (i >> 2)]! >>> (8 * (i & 3))) & 0xff;
  }
}

export function addTriple(rows: Uint32Array, at: number, high: number, low: number): void {
  const lowSum = rows[at]! + low;
  rows[at] = lowSum;
  const carried = lowSum >= 4_294_967_296 ? 1 : 0;
  const highSum = rows[at + 1]! + high + carried;
  rows[at + 1] = highSum;
  if (highSum >= 4_294_967_296) rows[at + 2] = rows[at + 2]! + 1;
}

export function readPair(rows: Uint32Array, at: number): bigint {
  return (BigInt(rows[at + 1]!) << 32n) | BigInt(rows[at]!);
}

export function readTriple(rows: Uint32Array, at: number): bigint {
  return (BigInt(rows[at + 2]!) << 64n) | (BigInt(rows[at + 1]!) << 32n) | BigInt(rows[at]!);
}

export function writeMs(rows: Uint32Array, at: number, ms: number): void {
  rows[at] = ms % 4_294_967_296;
  rows[at + 1] = Math.floor(ms / 4_294_967_296);
}

export function readMs(rows: Uint32Array, at: number): number {
  return rows[at + 1]! * 4_294_967_296 + rows[at]!;
}

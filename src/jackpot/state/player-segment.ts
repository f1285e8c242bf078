/** Word offsets within a player's row. Triples are 96-bit sums, lowest word first. */
export const HASH = 0;
export const ID_OFFSET = 1;
/** Length of the id's bytes in the low half, the brand's number in the high half. */
export const ID_LENGTH_BRAND = 2;
export const PSEUDONYM = 3;
/** Bit 0: opted in; bit 1: has an opt-in record. High half: number of the last contribution currency, from 1. */
export const FLAGS = 7;
/** Order of the player's first accepted contribution to the instance, from 1; 0 before it. */
export const ORDINAL = 8;
export const COUNT = 9;
export const VALUE = 10;
export const LAST_CONTRIBUTION_MS = 13;
export const OPT_IN_MS = 15;
export const POTS_AT = 17;
/** Offsets within the words of one pot: lifetime count and gross shares, this cycle's gross shares and its number. */
export const POT_COUNT = 0;
export const POT_VALUE = 1;
export const POT_CYCLE_VALUE = 4;
export const POT_CYCLE = 6;
export const POT_ROW_WORDS = 7;

export const SEGMENT_ROWS = 4096;
const FIRST_ROWS = 16;
const FIRST_ARENA = 256;

export interface Preference {
  readonly currency: string;
  readonly atoms: bigint | null;
  readonly optedIn: boolean;
  readonly updatedMs: number;
}

/** Up to 4,096 players of an instance, as words without garbage; opt-ins per currency and preferences beside them. */
export class PlayerSegment {
  rows: Uint32Array;
  count = 0;
  arena = new Uint8Array(FIRST_ARENA);
  arenaUsed = 0;
  readonly preferences: Map<number, readonly Preference[]> = new Map();
  /** The last snapshot that has a copy of it, or that it is younger than. */
  captured: number;
  readonly #stride: number;

  constructor(stride: number, captured: number) {
    this.#stride = stride;
    this.captured = captured;
    this.rows = new Uint32Array(FIRST_ROWS * stride);
  }

  /** Adds a row for an id; returns where its words begin. */
  append(id: Uint8Array, brand: number): number {
    const at = this.count * this.#stride;
    if (at === this.rows.length) {
      const larger = new Uint32Array(this.rows.length * 2);
      larger.set(this.rows);
      this.rows = larger;
    }
    if (this.arenaUsed + id.length > this.arena.length) {
      const larger = new Uint8Array(Math.max(FIRST_ARENA, this.arena.length * 2, this.arenaUsed + id.length));
      larger.set(this.arena.subarray(0, this.arenaUsed));
      this.arena = larger;
    }
    this.arena.set(id, this.arenaUsed);
    this.rows[at + ID_OFFSET] = this.arenaUsed;
    this.rows[at + ID_LENGTH_BRAND] = id.length + brand * 65_536;
    this.arenaUsed += id.length;
    this.count += 1;
    return at;
  }

  /** Takes the rows and id bytes of a snapshot. */
  restore(rows: Uint32Array, arena: Uint8Array<ArrayBuffer>): void {
    this.count = rows.length / this.#stride;
    const capacity = Math.max(FIRST_ROWS, 2 ** Math.ceil(Math.log2(Math.max(1, this.count))));
    this.rows = new Uint32Array(capacity * this.#stride);
    this.rows.set(rows);
    this.arena = arena;
    this.arenaUsed = arena.length;
  }

  idAt(at: number): Uint8Array {
    const from = this.rows[at + ID_OFFSET]!;
    return this.arena.subarray(from, from + (this.rows[at + ID_LENGTH_BRAND]! & 0xffff));
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

import { fromUtf8, utf8 } from '../../lib/bytes.ts';
import { HashIndex } from '../../lib/hash-index.ts';
import {
  HASH,
  ID_LENGTH_BRAND,
  ORDINAL,
  PlayerSegment,
  POT_ROW_WORDS,
  POTS_AT,
  PSEUDONYM,
  RAFFLE_ROW_WORDS,
  SEGMENT_ROWS,
} from './player-segment.ts';

const FIRST_ORDINALS = 64;

/**
 * The players of one instance: a row of words each (68 bytes and 28 a pot, 20 more in a raffle, beside the id's bytes),
 * found by brand and id. Rows are numbered in order of appearance and never move.
 */
export class PlayerTable {
  readonly segments: PlayerSegment[] = [];
  readonly stride: number;
  /** Players with an accepted contribution. */
  contributors = 0;
  /** Whether rows stand in the order of their ordinals: nobody opted in before another's first contribution. */
  isInOrder = true;
  #lastRow = -1;
  #lastOrdinal = 0;
  readonly #index = new HashIndex();
  /** Rows by ordinal, where somebody goes through them in that order: of a raffle. */
  #rowsByOrdinal: Uint32Array | null;

  /** Where a raffle's words begin within a row. */
  readonly raffleAt: number;

  constructor(pots: number, isRaffle = false) {
    this.raffleAt = POTS_AT + POT_ROW_WORDS * pots;
    this.stride = this.raffleAt + (isRaffle ? RAFFLE_ROW_WORDS : 0);
    this.#rowsByOrdinal = isRaffle ? new Uint32Array(FIRST_ORDINALS) : null;
  }

  get size(): number {
    const last = this.segments.length - 1;
    return last < 0 ? 0 : last * SEGMENT_ROWS + this.segments[last]!.count;
  }

  /** The row's number, −1 where the player is unknown. */
  find(brand: number, player: string, hash = playerHash(brand, player)): number {
    const index = this.#index;
    index.start(hash);
    for (let row = index.next(); row >= 0; row = index.next()) {
      if (this.#is(row, brand, player)) return row;
    }
    return -1;
  }

  /** The first row with the hash, −1 where there is none: read ahead of `find`, for many players at once. */
  candidate(hash: number): number {
    this.#index.start(hash);
    return this.#index.next();
  }

  /** Reads where a search for the hash begins, so that it is in the processor's cache when it is needed. */
  warmIndex(hash: number): number {
    return this.#index.warm(hash);
  }

  /** The same for a row's words. */
  warmRow(row: number): number {
    const rows = this.segmentOf(row).rows;
    const at = this.at(row);
    return rows[at + ID_LENGTH_BRAND]! + rows[at + POTS_AT]! + rows[at + this.stride - 1]!;
  }

  add(brand: number, player: string, pseudonym: Uint8Array, generation: number): number {
    const row = this.size;
    if (row === this.segments.length * SEGMENT_ROWS) {
      this.segments.push(new PlayerSegment(this.stride, generation));
    }
    const segment = this.segments[this.segments.length - 1]!;
    const at = segment.append(utf8(player), brand);
    const hash = playerHash(brand, player);
    segment.rows[at + HASH] = hash;
    new Uint8Array(segment.rows.buffer, 4 * (at + PSEUDONYM), pseudonym.length).set(pseudonym);
    this.#index.add(hash, row);
    return row;
  }

  segmentOf(row: number): PlayerSegment {
    return this.segments[row >>> 12]!;
  }

  /** Where the row's words begin in its segment. */
  at(row: number): number {
    return (row & (SEGMENT_ROWS - 1)) * this.stride;
  }

  playerId(row: number): string {
    return fromUtf8(this.segmentOf(row).idAt(this.at(row)));
  }

  brandOf(row: number): number {
    return this.segmentOf(row).rows[this.at(row) + ID_LENGTH_BRAND]! >>> 16;
  }

  ordinalOf(row: number): number {
    return this.segmentOf(row).rows[this.at(row) + ORDINAL]!;
  }

  /** To be called when a row has got its ordinal. */
  noteOrdinal(row: number, ordinal: number): void {
    if (row > this.#lastRow !== ordinal > this.#lastOrdinal) this.isInOrder = false;
    this.#lastRow = row;
    this.#lastOrdinal = ordinal;
    if (this.#rowsByOrdinal === null) return;
    if (ordinal > this.#rowsByOrdinal.length) {
      const larger = new Uint32Array(Math.max(2 * this.#rowsByOrdinal.length, ordinal));
      larger.set(this.#rowsByOrdinal);
      this.#rowsByOrdinal = larger;
    }
    this.#rowsByOrdinal[ordinal - 1] = row;
  }

  /** The row with an ordinal from 1 to `contributors`; of a raffle's players. */
  rowOfOrdinal(ordinal: number): number {
    return this.#rowsByOrdinal![ordinal - 1]!;
  }

  pseudonym(row: number): Uint8Array {
    const { buffer } = this.segmentOf(row).rows;
    return new Uint8Array(buffer, 4 * (this.at(row) + PSEUDONYM), 16).slice();
  }

  /** Copies the 16 bytes of the pseudonym. */
  copyPseudonym(row: number, view: DataView, to: number): void {
    const rows = this.segmentOf(row).rows;
    const at = this.at(row) + PSEUDONYM;
    view.setUint32(to, rows[at]!, true);
    view.setUint32(to + 4, rows[at + 1]!, true);
    view.setUint32(to + 8, rows[at + 2]!, true);
    view.setUint32(to + 12, rows[at + 3]!, true);
  }

  /** Takes a restored segment; they come in order. */
  adopt(segment: PlayerSegment): void {
    const first = this.segments.length * SEGMENT_ROWS;
    this.segments.push(segment);
    for (let i = 0; i < segment.count; i++) {
      this.#index.add(segment.rows[i * this.stride + HASH]!, first + i);
      const ordinal = segment.rows[i * this.stride + ORDINAL]!;
      if (ordinal > 0) this.noteOrdinal(first + i, ordinal);
    }
  }

  #is(row: number, brand: number, player: string): boolean {
    const segment = this.segmentOf(row);
    const at = this.at(row);
    const lengthAndBrand = segment.rows[at + ID_LENGTH_BRAND]!;
    if (lengthAndBrand >>> 16 !== brand) return false;
    const length = lengthAndBrand & 0xffff;
    if (length !== player.length) return length > player.length && this.playerId(row) === player;
    for (let i = 0; i < length; i++) {
      if (segment.byteAt(at, length, i) !== player.charCodeAt(i)) return false;
    }
    return true;
  }
}

export function playerHash(brand: number, player: string): number {
  let hash = 0x811c9dc5 ^ brand;
  for (let i = 0; i < player.length; i++) hash = Math.imul(hash ^ player.charCodeAt(i), 0x01000193);
  // FNV's low bits are good and its high bits are not: the index uses both ends.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

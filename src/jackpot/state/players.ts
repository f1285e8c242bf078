import { fromUtf8, utf8 } from '../../lib/bytes.ts';
import { HashIndex } from '../../lib/hash-index.ts';
import type { Hashing } from '../hashing.ts';
import { Contributors, chunkOrdinals } from './contributors.ts';
import { playerHash, type TableSecret } from './keyed-hash.ts';
import {
  idLengthBrandAt,
  ordinalAt,
  PlayerSegment,
  potRowWords,
  potsAt,
  pseudonymAt,
  raffleRowWords,
  segmentRows,
} from './player-segment.ts';
import { Standings } from './standings.ts';

/**
 * The players of one instance: a row of words each (60 bytes and 28 a pot, 20 more in a raffle, beside the id's bytes),
 * found by brand and id. Rows are numbered in order of appearance and never move. Contributors stand in columns besides,
 * in the order of their ordinals.
 */
export class PlayerTable {
  readonly segments: PlayerSegment[] = [];
  readonly stride: number;
  /** Players with an accepted contribution. */
  contributors = 0;
  readonly byOrdinal = new Contributors();
  readonly standings: Standings;
  /** Where a raffle's words begin within a row. */
  readonly raffleAt: number;
  readonly #index = new HashIndex();
  readonly #pots: number;
  readonly #secret: TableSecret;

  constructor(secret: TableSecret, pots: number, isRaffle = false) {
    this.#secret = secret;
    this.#pots = pots;
    this.raffleAt = potsAt + potRowWords * pots;
    this.stride = this.raffleAt + (isRaffle ? raffleRowWords : 0);
    this.standings = new Standings(pots);
  }

  get size(): number {
    const last = this.segments.length - 1;
    return last < 0 ? 0 : last * segmentRows + this.segments[last]!.count;
  }

  /** The row's number, −1 where the player is unknown. */
  find(brand: number, player: string, hash = playerHash(this.#secret, brand, player)): number {
    const index = this.#index;
    index.start(hash);
    for (let row = index.next(); row >= 0; row = index.next()) {
      if (this.#is(row, brand, player)) return row;
    }
    return -1;
  }

  /** The first row with the hash, −1 without one: read ahead of `find`, for many players at once. */
  candidate(hash: number): number {
    this.#index.start(hash);
    return this.#index.next();
  }

  /** Loads the slot where a search for the hash begins into the processor cache. */
  warmIndex(hash: number): number {
    return this.#index.warm(hash);
  }

  /** The same for a row's words. */
  warmRow(row: number): number {
    const rows = this.segmentOf(row).rows;
    const at = this.at(row);
    return rows[at + idLengthBrandAt]! + rows[at + potsAt]! + rows[at + this.stride - 1]!;
  }

  add(brand: number, player: string, pseudonym: Uint8Array, generation: number): number {
    const row = this.size;
    if (row === this.segments.length * segmentRows) {
      this.segments.push(new PlayerSegment(this.stride, generation));
    }
    const segment = this.segments[this.segments.length - 1]!;
    const at = segment.append(utf8(player), brand);
    new Uint8Array(segment.rows.buffer, 4 * (at + pseudonymAt), pseudonym.length).set(pseudonym);
    this.#index.add(playerHash(this.#secret, brand, player), row);
    return row;
  }

  segmentOf(row: number): PlayerSegment {
    return this.segments[row >>> 12]!;
  }

  /** Where the row's words begin in its segment. */
  at(row: number): number {
    return (row & (segmentRows - 1)) * this.stride;
  }

  playerId(row: number): string {
    return fromUtf8(this.segmentOf(row).idAt(this.at(row)));
  }

  brandOf(row: number): number {
    return this.segmentOf(row).rows[this.at(row) + idLengthBrandAt]! >>> 16;
  }

  ordinalOf(row: number): number {
    return this.segmentOf(row).rows[this.at(row) + ordinalAt]!;
  }

  /** The player of a row contributes for the first time: gives the next ordinal. */
  addContributor(hashing: Hashing, row: number, nowMs: number): number {
    this.contributors += 1;
    const ordinal = this.contributors;
    this.segmentOf(row).rows[this.at(row) + ordinalAt] = ordinal;
    this.#enterColumns(row, ordinal, nowMs);
    if (ordinal % chunkOrdinals === 0) this.hashFullChunks(hashing);
    return ordinal;
  }

  pseudonym(row: number): Uint8Array {
    const { buffer } = this.segmentOf(row).rows;
    return new Uint8Array(buffer, 4 * (this.at(row) + pseudonymAt), 16).slice();
  }

  /** Copies the 16 bytes of the pseudonym. */
  copyPseudonym(row: number, view: DataView, to: number): void {
    const rows = this.segmentOf(row).rows;
    const at = this.at(row) + pseudonymAt;
    view.setUint32(to, rows[at]!, true);
    view.setUint32(to + 4, rows[at + 1]!, true);
    view.setUint32(to + 8, rows[at + 2]!, true);
    view.setUint32(to + 12, rows[at + 3]!, true);
  }

  /** When the players of a segment contributed last, 0 where never. */
  lastContributions(segment: PlayerSegment): Float64Array {
    const lastMs = new Float64Array(segment.count);
    for (let i = 0; i < segment.count; i++) {
      const ordinal = segment.rows[i * this.stride + ordinalAt]!;
      if (ordinal > 0) lastMs[i] = this.byOrdinal.lastMs(ordinal);
    }
    return lastMs;
  }

  /** Takes a restored segment, and when its players contributed last; they come in order. */
  adopt(segment: PlayerSegment, lastMs: Float64Array): void {
    const first = this.segments.length * segmentRows;
    this.segments.push(segment);
    for (let i = 0; i < segment.count; i++) {
      const at = i * this.stride;
      const brand = segment.rows[at + idLengthBrandAt]! >>> 16;
      this.#index.add(playerHash(this.#secret, brand, fromUtf8(segment.idAt(at))), first + i);
      const ordinal = segment.rows[at + ordinalAt]!;
      if (ordinal === 0) continue;
      this.#enterColumns(first + i, ordinal, lastMs[i]!);
      for (let pot = 0; pot < this.#pots; pot++) {
        this.standings.noteRow(pot, ordinal, segment.rows, at + potsAt + potRowWords * pot);
      }
    }
  }

  /** So that no win has to hash what could be hashed before. */
  hashFullChunks(hashing: Hashing): void {
    this.byOrdinal.prefix(hashing, Math.floor(this.contributors / chunkOrdinals));
  }

  #enterColumns(row: number, ordinal: number, lastMs: number): void {
    this.byOrdinal.add(ordinal, row, this.segmentOf(row).rows, this.at(row) + pseudonymAt, lastMs);
    this.standings.reserve(ordinal);
  }

  #is(row: number, brand: number, player: string): boolean {
    const segment = this.segmentOf(row);
    const at = this.at(row);
    const lengthAndBrand = segment.rows[at + idLengthBrandAt]!;
    if (lengthAndBrand >>> 16 !== brand) return false;
    const length = lengthAndBrand & 0xffff;
    if (length !== player.length) return length > player.length && this.playerId(row) === player;
    for (let i = 0; i < length; i++) {
      if (segment.byteAt(at, length, i) !== player.charCodeAt(i)) return false;
    }
    return true;
  }
}

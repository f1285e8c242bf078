import { fromUtf8, utf8 } from '../../../lib/bytes.ts';
import { HashIndex } from '../../../lib/hash-index.ts';
import type { Hashing } from '../../../lib/hashing.ts';
import { asciiPlayerHash, notAscii, playerHash, type TableSecret } from '../../../lib/keyed-hash.ts';
import type { Steps } from '../../../lib/turns.ts';
import { Contributors, chunkOrdinals } from './contributors.ts';
import {
  idLengthBrandAt,
  idWordAt,
  inlineBytes,
  ordinalAt,
  PlayerSegment,
  potRowWords,
  potsAt,
  pseudonymAt,
  raffleRowWords,
  segmentRows,
} from './player-segment.ts';
import { Standings } from './standings.ts';

/** Chunks of contributors that a step of a restoration hashes: about two megabytes. */
const chunksPerStep = 32;
/** Rows of players that a step enters: few enough for code that runs for the first time. */
const rowsPerStep = 1024;

/** The players of one instance: rows of words, numbered in order of appearance, that never move. */
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
    const first = index.first(hash);
    if (first < 0 || this.#is(first, brand, player)) return first;
    index.start(hash);
    for (let row = index.next(); row >= 0; row = index.next()) {
      if (this.#is(row, brand, player)) return row;
    }
    return -1;
  }

  /** The first row with the hash, −1 without one: read ahead of `find`, for many players at once. */
  candidate(hash: number): number {
    return this.#index.first(hash);
  }

  /** Loads the slot where a search for the hash begins into the processor cache. */
  warmIndex(hash: number): number {
    return this.#index.warm(hash);
  }

  warmRow(row: number): number {
    const rows = this.segmentOf(row).rows;
    const at = this.at(row);
    return rows[at + idLengthBrandAt]! ^ rows[at + potsAt]! ^ rows[at + this.stride - 1]!;
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
    if (ordinal % chunkOrdinals === 0) this.byOrdinal.prefix(hashing, ordinal / chunkOrdinals);
    return ordinal;
  }

  pseudonym(row: number): Uint8Array {
    const { buffer } = this.segmentOf(row).rows;
    return new Uint8Array(buffer, 4 * (this.at(row) + pseudonymAt), 16).slice();
  }

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

  /** Makes room for the players of a snapshot: its segments follow. */
  reserve(rows: number): void {
    this.#index.reserve(rows);
    if (this.contributors > 0) this.standings.reserve(Math.min(rows, this.contributors));
  }

  /** Takes a restored segment and its players' last contributions, in order, some rows a step. */
  *adopt(segment: PlayerSegment, lastMs: Float64Array): Steps<void> {
    const first = this.segments.length * segmentRows;
    this.segments.push(segment);
    for (let from = 0; from < segment.count; from += rowsPerStep) {
      this.#adoptRows(segment, lastMs, first, from, Math.min(segment.count, from + rowsPerStep));
      yield;
    }
  }

  #adoptRows(segment: PlayerSegment, lastMs: Float64Array, first: number, from: number, to: number): void {
    const { rows } = segment;
    const inline = new Uint8Array(rows.buffer);
    const hashes = new Int32Array(to - from);
    for (let i = from; i < to; i++) hashes[i - from] = this.#hashAt(segment, inline, i * this.stride);
    this.#index.addAll(hashes, first + from);
    for (let i = from; i < to; i++) {
      const at = i * this.stride;
      const ordinal = rows[at + ordinalAt]!;
      if (ordinal === 0) continue;
      this.#enterColumns(first + i, ordinal, lastMs[i]!);
      for (let pot = 0; pot < this.#pots; pot++) {
        this.standings.noteRow(pot, ordinal, rows, at + potsAt + potRowWords * pot);
      }
    }
  }

  #hashAt(segment: PlayerSegment, inline: Uint8Array, at: number): number {
    const lengthAndBrand = segment.rows[at + idLengthBrandAt]!;
    const length = lengthAndBrand & 0xffff;
    const brand = lengthAndBrand >>> 16;
    const hash =
      length <= inlineBytes
        ? asciiPlayerHash(this.#secret, brand, inline, 4 * (at + idWordAt), length)
        : asciiPlayerHash(this.#secret, brand, segment.arena, segment.rows[at + idWordAt]!, length);
    return hash !== notAscii ? hash : playerHash(this.#secret, brand, fromUtf8(segment.idAt(at)));
  }

  /** As `addContributor` has, so that no win has to hash what could be hashed before: some chunks a step. */
  *hashFullChunks(hashing: Hashing): Steps<void> {
    const full = Math.floor(this.contributors / chunkOrdinals);
    for (let chunks = 0; chunks < full; ) {
      chunks = Math.min(full, chunks + chunksPerStep);
      this.byOrdinal.prefix(hashing, chunks);
      yield;
    }
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

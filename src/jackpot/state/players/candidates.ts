import type { Hashing } from '../../../lib/hashing.ts';
import { bitsIn, lowestBit, wordsFor } from '../../../lib/ordinal-set.ts';
import { chunkOrdinals, pseudonymBytes, pseudonymWords } from './contributors.ts';
import type { PlayerTable } from './players.ts';

const chunkWords = chunkOrdinals / 32;
const allBits = 0xffff_ffff;

/** The win that is shared. The winning contribution is not in the players' rows yet. */
export interface SharedWin {
  readonly hashing: Hashing;
  readonly room: CandidateWords;
  /** Candidates of the rules before: equal sets share their hash. */
  readonly sets: Candidates[];
  readonly players: PlayerTable;
  readonly pot: number;
  /** The pot's cycle that the win ends. */
  readonly cycle: number;
  readonly timestampMs: number;
  readonly winner: WinningPlayer;
}

interface WinningPlayer {
  /** −1: the instance has not met the player before. */
  readonly row: number;
  readonly pseudonym: Uint8Array;
  /** The amount that the winning contribution gives to the pot; zero for A30. */
  readonly shareAtoms: bigint;
}

/** The candidates of one rule, of whom there may be millions, in the order of their ordinals. */
export class Candidates {
  readonly count: number;
  /** SHA-256 of the pseudonyms in order. */
  readonly hash: Uint8Array;
  readonly #win: SharedWin;
  readonly #set: Uint32Array;
  readonly #counts: Uint32Array;
  /** The main winner is the last one, by the winning contribution, which is the player's first. */
  readonly #hasNewcomer: boolean;

  /** `set` has zeros after the last contributor and is not changed any more. */
  constructor(win: SharedWin, set: Uint32Array, hasNewcomer: boolean) {
    this.#win = win;
    this.#set = set;
    this.#hasNewcomer = hasNewcomer;
    this.#counts = win.room.take(win.players.byOrdinal.chunks.length);
    this.count = countAll(set, wordsFor(win.players.contributors), this.#counts) + (hasNewcomer ? 1 : 0);
    const same = win.sets.find((each) => each.#isSame(this));
    this.hash = same === undefined ? this.#digest() : same.hash;
    win.sets.push(this);
  }

  indexOf(ordinal: number): number {
    const place = ordinal - 1;
    const chunk = Math.floor(place / chunkOrdinals);
    let index = 0;
    for (let i = 0; i < chunk; i++) index += this.#counts[i] ?? 0;
    for (let word = chunk * chunkWords; word < place >>> 5; word++) index += bitsIn(this.#set[word]!);
    return place & 31 ? index + bitsIn(this.#set[place >>> 5]! << (32 - (place & 31))) : index;
  }

  /** −1: a player without a row. */
  row(index: number): number {
    const { players, winner } = this.#win;
    if (this.#hasNewcomer && index === this.count - 1) return winner.row;
    let left = index;
    let chunk = 0;
    for (; left >= this.#counts[chunk]!; chunk++) left -= this.#counts[chunk]!;
    let word = chunk * chunkWords;
    for (let here = bitsIn(this.#set[word]!); left >= here; here = bitsIn(this.#set[word]!)) {
      left -= here;
      word += 1;
    }
    let bits = this.#set[word]!;
    for (; left > 0; left--) bits &= bits - 1;
    return players.byOrdinal.row(32 * word + lowestBit(bits) + 1);
  }

  #isSame(other: Candidates): boolean {
    if (this.count !== other.count || this.#hasNewcomer !== other.#hasNewcomer) return false;
    const words = wordsFor(this.#win.players.contributors);
    for (let word = 0; word < words; word++) if (this.#set[word] !== other.#set[word]) return false;
    return true;
  }

  /** A chunk of candidates only is hashed as it is stored; those before the first other one were long ago. */
  #digest(): Uint8Array {
    const { hashing, players, room, winner } = this.#win;
    const { chunks } = players.byOrdinal;
    let first = 0;
    while (first < chunks.length && this.#counts[first] === chunkOrdinals) first += 1;
    const digest = players.byOrdinal.prefix(hashing, first);
    const gathered = room.take(pseudonymWords * chunkOrdinals);
    for (let number = first; number < chunks.length; number++) {
      const { pseudonyms } = chunks[number]!;
      const count = this.#counts[number]!;
      if (count === chunkOrdinals) digest.update(pseudonymBytes(pseudonyms, count));
      else if (count > 0) {
        gather(pseudonyms, this.#set, number * chunkWords, count, gathered);
        digest.update(pseudonymBytes(gathered, count));
      }
    }
    if (this.#hasNewcomer) digest.update(winner.pseudonym);
    return digest.done();
  }
}

function countAll(set: Uint32Array, words: number, counts: Uint32Array): number {
  let total = 0;
  for (let from = 0, chunk = 0; from < words; from += chunkWords, chunk++) {
    const to = Math.min(words, from + chunkWords);
    let count = 0;
    for (let at = from; at < to; at++) {
      const word = set[at]!;
      // Most words are full or empty, and a call costs more than asking.
      if (word !== 0) count += word === allBits ? 32 : bitsIn(word);
    }
    counts[chunk] = count;
    total += count;
  }
  return total;
}

/** Copies the `count` pseudonyms of a chunk whose bits are set in the words from `word` on. */
function gather(from: Uint32Array, set: Uint32Array, word: number, count: number, to: Uint32Array): void {
  const end = pseudonymWords * count;
  for (let at = 0, first = 0, next = word; at < end; first += 32 * pseudonymWords, next++) {
    let bits = set[next]!;
    if (bits === allBits) {
      for (let i = 0; i < 32 * pseudonymWords; i++) to[at + i] = from[first + i]!;
      at += 32 * pseudonymWords;
      continue;
    }
    for (; bits !== 0; bits &= bits - 1, at += pseudonymWords) {
      const place = first + pseudonymWords * lowestBit(bits);
      to[at] = from[place]!;
      to[at + 1] = from[place + 1]!;
      to[at + 2] = from[place + 2]!;
      to[at + 3] = from[place + 3]!;
    }
  }
}

/** Room for the candidates of one win after another: a win with a million candidates allocates no memory. */
export class CandidateWords {
  readonly #arrays: Uint32Array[] = [];
  #taken = 0;

  /** A win begins: the room of the last one is free. */
  clear(): void {
    this.#taken = 0;
  }

  /** At least `capacity` words; they are not cleared. */
  take(capacity: number): Uint32Array {
    const index = this.#taken++;
    const known = this.#arrays[index];
    if (known !== undefined && known.length >= capacity) return known;
    // Half as much again: a growing number of players does not need new room at each win.
    const made = new Uint32Array(Math.ceil(1.5 * capacity));
    this.#arrays[index] = made;
    return made;
  }
}

import { OrderedCandidates } from './ordered-candidates.ts';
import type { SharedWin } from './rule.ts';
import { UnorderedCandidates } from './unordered-candidates.ts';

/**
 * The candidates of one rule, of whom there may be millions. They are added segment by segment; afterwards, by their
 * indexes, they stand in the order of their ordinals.
 */
export interface CandidateList {
  readonly count: number;
  /** Adds `count` rows of a segment whose first is row `firstRow`: the numbers in `found`, within the segment. */
  addAll(rows: Uint32Array, found: Uint32Array, count: number, firstRow: number): void;
  /** A player whose row does not say it yet; the last one, with the highest ordinal if `row` has none. */
  addLast(row: number, ordinal: number, pseudonym: Uint8Array): void;
  /** All were added. */
  close(): void;
  /** Of the candidate that was added after `added` others: the higher the ordinal, the higher. Known before `close`. */
  place(added: number): number;
  indexOf(place: number): number;
  /** −1: a player without a row. */
  row(index: number): number;
  /** SHA-256 of the pseudonyms in order. */
  readonly hash: Uint8Array;
}

/** Bytes and words of a pseudonym in a player's row. */
export const PSEUDONYM_BYTES = 16;
export const PSEUDONYM_WORDS = 4;

/**
 * Rows are numbered in order of appearance, and that is the order of ordinals but where players opted in before they
 * contributed: then the candidates have to be put in order.
 */
export function candidatesOf({ hashing, room, players }: SharedWin): CandidateList {
  const capacity = players.contributors + 1;
  return players.isInOrder
    ? new OrderedCandidates(hashing, room, players.stride, capacity)
    : new UnorderedCandidates(hashing, room, players.stride, capacity);
}

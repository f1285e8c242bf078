import type { Reader } from '../../configuration/reader.ts';
import type { Lanes } from '../../draw/lanes.ts';
import type { Hashing } from '../../hashing.ts';
import type { PlayerTable } from '../../state/players.ts';
import type { CandidateRoom } from './candidate-room.ts';
import type { Candidates } from './candidates.ts';

/** Who shares a pot's win beside the main winner (docs/rules/wins-and-reseeding.md "Community shares"). */
export type PayoutRuleKind = 'ActivePlayers' | 'HighestContributors' | 'HighestLifetimeContributors';

/** The win that is shared. The winning contribution is not in the players' rows yet. */
export interface SharedWin {
  readonly hashing: Hashing;
  readonly room: CandidateRoom;
  readonly players: PlayerTable;
  readonly pot: number;
  /** The pot's cycle that the win ends. */
  readonly cycle: number;
  readonly timestampMs: number;
  readonly winner: WinningPlayer;
}

export interface WinningPlayer {
  /** −1: the instance has not met the player before. */
  readonly row: number;
  readonly pseudonym: Uint8Array;
  /** What the winning contribution gives to the pot; zero for A30. */
  readonly shareAtoms: bigint;
}

export interface PayoutRule {
  readonly kind: PayoutRuleKind;
  readonly maximumPayouts: number;
  election(win: SharedWin): Election;
}

/** Who may share a win by one rule. */
export interface Election {
  readonly candidates: Candidates;
  /** Candidates' indexes, in the order they are picked; asked once. */
  elect(lanes: () => Lanes): readonly number[];
}

export interface PayoutRuleType {
  read(parameters: Reader): PayoutRule;
}

/** `max_number_of_payouts`, which every rule has. */
export function readMaximumPayouts(parameters: Reader): number {
  if (!parameters.has('max_number_of_payouts')) parameters.fault('max_number_of_payouts', 'is missing');
  return parameters.integer('max_number_of_payouts', 1, 1) ?? 1;
}

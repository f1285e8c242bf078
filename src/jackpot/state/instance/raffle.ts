import type { Json } from '../../../lib/canonical-json.ts';
import type { RaffleRules } from '../configuration/configuration.ts';
import { TicketBook, type TicketRange } from './ticket-book.ts';

export interface RoundTimes {
  readonly startMs: number;
  readonly endMs: number;
  /** No round follows: the instance resolves. */
  readonly isLast: boolean;
}

/** A round with its tickets and costs; its rules do not change while it runs. */
export interface Round extends RoundTimes {
  /** From 1. */
  readonly number: number;
  readonly rules: RaffleRules;
  /** Given so far; of a Deferred round, without their numbers yet. */
  tickets: number;
}

/** The work left for an ended round, in this order. */
export type RoundPhase =
  | { readonly kind: 'Open' }
  /** Deferred tickets get their numbers, by player ordinal. */
  | { readonly kind: 'Numbering'; readonly nextOrdinal: number }
  | { readonly kind: 'Drawing' }
  | FindingHolders
  | Recording
  | Announcing
  | { readonly kind: 'Over' };

/** The tickets are drawn, on the stream of the record that follows; their holders are looked up. */
export interface FindingHolders {
  readonly kind: 'Finding';
  readonly tickets: readonly number[];
  /** Ranges of the first tickets. */
  readonly ranges: readonly TicketRange[];
}

/** The prizes are paid; the record of it is not in the chain yet. */
export interface Recording {
  readonly kind: 'Recording';
  readonly detail: Json;
  readonly announcing: Announcing;
}

/** The prizes are paid; who won is told from `nextPrize` on. */
export interface Announcing {
  readonly kind: 'Announcing';
  /** Sequence number of the round's end, and the pot's cycle that it ended. */
  readonly sequence: number;
  readonly instanceCount: number;
  readonly prizes: readonly DrawnPrize[];
  readonly nextPrize: number;
  readonly seedAtoms: bigint;
  readonly seedDeficitAtoms: bigint;
}

export interface DrawnPrize {
  /** From 0: place in prize_distribution. */
  readonly tier: number;
  readonly ticket: number;
  readonly row: number;
  readonly amountAtoms: bigint;
  readonly withheld: boolean;
}

/** The rounds of a raffle instance, one after the other. */
export class Raffle {
  /** null before the instance is Active. */
  round: Round | null = null;
  phase: RoundPhase = { kind: 'Open' };
  book = new TicketBook();
  /** Steps done since the beginning, by which repeated Continue commands are recognised. */
  step = 0;
  /** Steps that are done when the message at hand ends, or the next one that has room. */
  requested = 0;
  /** An administrator had paused the instance when the round ended. */
  wasPaused = false;
}

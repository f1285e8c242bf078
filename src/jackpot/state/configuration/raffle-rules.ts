import type { Fraction } from '../../../lib/fraction.ts';
import type { Document } from './document.ts';

export interface Prize {
  /** Of the pot's value at the round's end, shared by the winners of the tier. */
  readonly percentage: Fraction;
  readonly winners: number;
}

/** A length that repeats, or the moments at which rounds end. */
export type RaffleDuration =
  | { readonly kind: 'Length'; readonly lengthMs: number }
  | { readonly kind: 'Scheduled'; readonly endsMs: readonly number[] };

export interface RaffleRules {
  readonly document: Document;
  readonly costPerTicketAtoms: bigint;
  readonly costSource: 'Contribution' | 'BaseWager';
  /** Tickets get their numbers at the round's end. */
  readonly isDeferred: boolean;
  readonly duration: RaffleDuration;
  readonly prizes: readonly Prize[];
}

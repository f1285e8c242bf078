import type { Json } from '../../../lib/canonical-json.ts';
import type { ContributionOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import type { CreditRecord } from '../../../messages/settlements.ts';
import type { Instance } from '../instance/instance.ts';
import type { Quote } from '../money/quote.ts';
import type { OpenDebit } from '../settlements/open-debits.ts';

export interface RecordedPrice {
  readonly timestampMs: number;
  readonly contributionAtoms: bigint;
  /** base_wager in the instance's currency, at the record's place. */
  readonly wagerAtoms: bigint;
  /** The player's part of C; the rest is the operator's. */
  readonly playerAtoms: bigint;
  /** The contribution came in another currency than the instance's. */
  readonly isConverted: boolean;
  /** Its player was asked to pay before the running epoch began, by the rules of then. */
  readonly isPricedBefore: boolean;
}

/** One record of a revealed epoch: its bytes, and facts that a verifier cannot read from them. */
export interface DrawRecord extends RecordedPrice {
  readonly sequence: number;
  readonly inputIndex: number;
  /** Seed of each pot after the step. */
  readonly seedAtoms: readonly bigint[];
  /** Where the record's bytes begin in the group's. */
  readonly offset: number;
}

/** One group of a revealed epoch. */
export interface DrawGroup {
  readonly instance: string;
  readonly epoch: number;
  readonly firstSequence: number;
  readonly inputs: Uint8Array;
  /** Outcome bytes of the group. */
  readonly bytes: Uint8Array;
  readonly records: readonly DrawRecord[];
  readonly details: readonly Json[];
  /** The instance's head after the group. */
  readonly head: Uint8Array;
}

/** A contribution that an instance has taken; `debit`: the player paid it before. */
export interface TakenContribution {
  readonly entry: { readonly instance: Instance; readonly isLink: boolean };
  readonly command: Contribute;
  readonly quote: Pick<Quote, 'price' | 'wagerAtoms'>;
  readonly debit: OpenDebit | null;
  readonly outcome: ContributionOutcome;
}

/** Takes from a replay what it wants; costs nothing where it is absent. */
export interface Recorder {
  /** The draw records of a group. */
  group?(group: DrawGroup): void;
  /** What follows is done by this command; −1: at the end of the message. */
  command?(index: number): void;
  /** The instance is about to change. */
  touched?(instance: Instance): void;
  /** A contribution that hit is in the accounts, and no pot is paid yet. It may still be undone. */
  fed?(instance: Instance): void;
  /** A pot was paid, and its next cycle is open. */
  paid?(instance: Instance): void;
  taken?(contribution: TakenContribution): void;
  readonly debit?: (before: OpenDebit | null, after: OpenDebit | null) => void;
  readonly credit?: (before: CreditRecord | null, after: CreditRecord | null) => void;
}

/** For a record without a contribution. */
export function unpriced(timestampMs: number): RecordedPrice {
  const nothing = { contributionAtoms: 0n, wagerAtoms: 0n, playerAtoms: 0n };
  return { timestampMs, ...nothing, isConverted: false, isPricedBefore: false };
}

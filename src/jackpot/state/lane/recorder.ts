import type { Json } from '../../../lib/canonical-json.ts';

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

/** Takes the draw records of a replay; costs nothing where it is absent. */
export interface Recorder {
  group(group: DrawGroup): void;
}

/** For a record without a contribution. */
export function unpriced(timestampMs: number): RecordedPrice {
  const nothing = { contributionAtoms: 0n, wagerAtoms: 0n, playerAtoms: 0n };
  return { timestampMs, ...nothing, isConverted: false, isPricedBefore: false };
}

import type { ContributionOrigin } from './player-commands.ts';

/** A debit that the wallet must make before a contribution is applied. W3 contains nothing else. */
export interface DebitRecord {
  /** Rises over the lane: questions for open debits page by it. */
  readonly number: number;
  /** UUID version 5 of the contribution's id. */
  readonly transactionId: string;
  /** UUID of this instance's contribution: the game round of the debit and of what it wins. */
  readonly contributionId: string;
  readonly instance: string;
  readonly brand: string;
  readonly player: string;
  /** The amount that the player pays, and the part of it from bonus funds. */
  readonly amountAtoms: bigint;
  readonly bonusAtoms: bigint;
  readonly currency: string;
  /** The rate table that the contribution is priced with; 0: none. */
  readonly rateVersion: number;
  /** The instance's game code, else what the contribution named, else the instance's id. */
  readonly source: string;
  readonly provider: string;
  /** Empty where the caller gave none. */
  readonly vertical: string;
  readonly bonusId: string;
  /** The caller's game round. */
  readonly gameround: string;
  readonly openedMs: number;
  /** Once this has passed the debit is cancelled, never tried again. */
  readonly deadlineMs: number;
  /** The wallet has debited it, and it waits for its paused instance. */
  readonly debited: boolean;
  /** Place of the contribution in the command log. */
  readonly sequence: number;
  readonly index: number;
  /** As the contribution named it; absent where it named nothing. W3 carries it in its metadata. */
  readonly origin?: ContributionOrigin;
  /** Absent: W3 makes it, as it makes a batch of one. */
  readonly batch?: DebitBatch;
}

/** Debits of one message that one W4 makes (docs/rules/wallets.md "Batches of debits"). */
export interface DebitBatch {
  readonly id: string;
  readonly records: number;
}

/** The batch that a debit is made and cancelled with; null: it goes by W3 and W2. */
export function sharedBatch({ batch }: DebitRecord): DebitBatch | null {
  return batch !== undefined && batch.records > 1 ? batch : null;
}

/** `close`: an amount of zero that closes the game round of a contribution without a win. */
export type CreditKind = 'main' | 'community' | 'raffle' | 'close';

/**
 * `pending`: for the wallet; `withheld`: a person has to release it; `unknown`: the wallet's answer was
 * unclear, and it is repeated; `dead`: it waits for a person; `settled`: it was made, or a person settled it.
 */
export type CreditState = 'pending' | 'withheld' | 'unknown' | 'dead' | 'settled';

/** Money that a player is owed. It keeps one id and is never cancelled. */
export interface CreditRecord {
  /** Rises over the lane: questions for open credits page by it. */
  readonly number: number;
  readonly transactionId: string;
  /** Community and raffle payouts of one win, brand and currency are one batch; empty: a single credit. */
  readonly batchId: string;
  readonly kind: CreditKind;
  readonly state: CreditState;
  readonly instance: string;
  /** Empty for `close`. */
  readonly pot: string;
  readonly instanceCount: number;
  /** The instance's sequence number of the win. */
  readonly sequence: number;
  readonly brand: string;
  readonly player: string;
  /** In the jackpot's currency. */
  readonly amountAtoms: bigint;
  readonly currency: string;
  /** In the player's currency. */
  readonly paidAtoms: bigint;
  readonly paidCurrency: string;
  /** The part of `amountAtoms` that leaves through account `player`; the rest leaves through `fx`. */
  readonly backAtoms: bigint;
  readonly rateVersion: number;
  /** The game round that it closes. */
  readonly contributionId: string;
  readonly source: string;
  readonly provider: string;
  /** false: the brand has no wallet, a release books it out. */
  readonly wallet: boolean;
  readonly openedMs: number;
  readonly changedMs: number;
  /** Why it is in this state; empty at first. */
  readonly reason: string;
  /** The round is the credit's own, and its batch names none; absent: a main, closing or older credit. */
  readonly ownRound?: boolean;
}

/** Credits of one batch (W4); `query.<lane>` returns the records. Totals are exact sums. */
export interface CreditBatch {
  readonly batchId: string;
  readonly kind: CreditKind;
  readonly instance: string;
  readonly pot: string;
  readonly instanceCount: number;
  readonly brand: string;
  readonly currency: string;
  readonly records: number;
  readonly amountAtoms: bigint;
  /** Number of its first record. */
  readonly firstNumber: number;
}

/** A diversion pool on its way to its external account. */
export interface FlushRecord {
  readonly flushId: string;
  readonly instance: string;
  readonly endpoint: string;
  readonly accountId: string;
  readonly amountAtoms: bigint;
  readonly currency: string;
  readonly openedMs: number;
}

/** Work for others that a message causes. It may begin once the OUT record of the message is stored. */
export type LaneWork =
  | { readonly kind: 'DebitDue'; readonly debit: DebitRecord }
  | { readonly kind: 'CreditDue'; readonly credit: CreditRecord }
  | { readonly kind: 'CreditsDue'; readonly batch: CreditBatch }
  | { readonly kind: 'FlushDue'; readonly flush: FlushRecord };

/** What a list of open debits and credits can be sorted by; `amount`: in the record's currency. */
export type SettlementField = 'opened' | 'changed' | 'amount';

/** Which open debits and credits a list has. Empty lists and texts: any. */
export interface SettlementFilter {
  /** A debit is `unknown` after its deadline, and `pending` before or once the wallet has made it. */
  readonly states: readonly CreditState[];
  readonly kinds: readonly SettlementKind[];
  /** Players of these brands, or of brands of these operators. */
  readonly owners: readonly string[];
  /** The owner of players, or of instances. */
  readonly owner: string;
  readonly brand: string;
  readonly instance: string;
}

export type SettlementKind = CreditKind | 'debit';

/** One slice of a list: bounded work. */
export interface SettlementRowsQuery {
  readonly book: 'debits' | 'credits';
  /** Numbers above it. */
  readonly after: number;
  readonly nowMs: number;
  readonly field: SettlementField;
  readonly direction: 1 | -1;
  /** Rows beyond this value are not wanted; null: all are. */
  readonly bound: bigint | null;
  readonly filter: SettlementFilter;
}

/** An open debit or credit, whole. */
export type SettlementRecord =
  | { readonly kind: 'debit'; readonly debit: DebitRecord }
  | { readonly kind: 'credit'; readonly credit: CreditRecord };

const unknownBatch = /^batch of (\d+): /;

/** The reason in reports of a batch with an unknown result. Its size tells whether all are still there. */
export function reasonOfBatch(reason: string, records: number): string {
  return `batch of ${records}: ${reason}`;
}

/** The size of the batch whose result is unknown; null: the reason is a single record's. */
export function batchSizeIn(reason: string): number | null {
  const found = unknownBatch.exec(reason);
  return found === null ? null : Number(found[1]);
}

// The log's wire types (contracts) are structurally the same; the actor host's compile proves that they fit.
/** A debit that the wallet has to make before a contribution is applied: W3 is made of it and of nothing else. */
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
  /** What the player pays, and the part of it that bonus funds pay. */
  readonly amountAtoms: bigint;
  readonly bonusAtoms: bigint;
  readonly currency: string;
  /** The rate table that the contribution is priced with; 0: none. */
  readonly rateVersion: number;
  /** The source that the contribution named, else the instance's game code or id. */
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
  /** The wallet has debited it: it waits for its instance, which is paused. */
  readonly debited: boolean;
  /** Place of the contribution in the command log. */
  readonly sequence: number;
  readonly index: number;
}

/** `close`: an amount of zero that closes the game round of a contribution without a win. */
export type CreditKind = 'main' | 'community' | 'raffle' | 'close';

/**
 * `pending`: the wallet has to make it; `withheld`: a person has to release it; `unknown`: the wallet did not say what
 * became of it, it is repeated; `dead`: it waits for a person; `settled`: it was made, or a person settled it.
 */
export type CreditState = 'pending' | 'withheld' | 'unknown' | 'dead' | 'settled';

/** What a player is owed. It has one id for ever and is never cancelled. */
export interface CreditRecord {
  /** Rises over the lane: questions for open credits page by it. */
  readonly number: number;
  readonly transactionId: string;
  /** Community and raffle payouts of a win or round, brand and currency are one batch; empty: a credit by itself. */
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
  /** Of `amountAtoms`, what leaves through account `player`; the rest leaves through `fx`. */
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
  /** Why it is where it is; empty while nothing happened. */
  readonly reason: string;
}

/** Credits of one batch (W4); the records are asked for with `query.<lane>`. Totals are exact sums. */
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

/** What the message at hand gives others to do; each may begin once its OUT record is stored. */
export type LaneWork =
  | { readonly kind: 'DebitDue'; readonly debit: DebitRecord }
  | { readonly kind: 'CreditDue'; readonly credit: CreditRecord }
  | { readonly kind: 'CreditsDue'; readonly batch: CreditBatch }
  | { readonly kind: 'FlushDue'; readonly flush: FlushRecord };

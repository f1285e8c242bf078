/** Results of payments, and decisions of persons about them. */
export type SettlementCommand =
  | DebitSettled
  | CreditSettled
  | ReleaseCredit
  | RetryCredit
  | ResolveCredit
  | CancelDebit
  | FlushSettled;

/** Commands about money that leaves: answers of wallets and receivers, and decisions of people. */

/** The result of a debit. Repeats change nothing. */
export interface DebitSettled {
  readonly kind: 'DebitSettled';
  readonly transactionId: string;
  /** `cancelled`: unknown at first, then certainly cancelled. */
  readonly result: 'debited' | 'refused' | 'cancelled';
  /**
   * The report counts in messages up to this time of the lane; later the debit may be cancelled at the wallet
   * (docs/decisions/0270). Absent: it always counts.
   */
  readonly expiresMs?: number;
}

/** The result of credits: at most 200, of one instance. Repeats change nothing. */
export interface CreditSettled {
  readonly kind: 'CreditSettled';
  readonly transactionIds: readonly string[];
  /**
   * `refused`: certainly; `unknown`: it is repeated; `exhausted`: repeated long enough, a person has to look.
   */
  readonly result: 'accepted' | 'refused' | 'unknown' | 'exhausted';
  readonly reason: string;
}

/** A person releases a withheld credit, retries a dead one or resolves it as settled in another way. */
export interface ReleaseCredit {
  readonly kind: 'ReleaseCredit';
  readonly transactionId: string;
  readonly reason: string;
  readonly user: string;
  /** As in AdjustPot; absent: none was given. */
  readonly idempotencyKey?: Uint8Array;
}

export interface RetryCredit {
  readonly kind: 'RetryCredit';
  readonly transactionId: string;
  readonly reason: string;
  readonly user: string;
  /** As in AdjustPot; absent: none was given. */
  readonly idempotencyKey?: Uint8Array;
}

export interface ResolveCredit {
  readonly kind: 'ResolveCredit';
  readonly transactionId: string;
  readonly reason: string;
  readonly user: string;
  /** As in AdjustPot; absent: none was given. */
  readonly idempotencyKey?: Uint8Array;
}

/** After its deadline a person ends a debit that the wallet does not cancel, as certainly not paid. */
export interface CancelDebit {
  readonly kind: 'CancelDebit';
  readonly transactionId: string;
  readonly reason: string;
  readonly user: string;
  readonly idempotencyKey?: Uint8Array;
}

/** The result of a diversion flush. Repeats change nothing. */
export interface FlushSettled {
  readonly kind: 'FlushSettled';
  readonly instance: string;
  readonly flushId: string;
  readonly result: 'confirmed' | 'failed';
}

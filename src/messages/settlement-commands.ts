/** Commands about money that leaves: what wallets and receivers said, and what a person decided. */

/** What became of a debit that the wallet was asked for. Repeats change nothing. */
export interface DebitSettled {
  readonly kind: 'DebitSettled';
  readonly transactionId: string;
  /** `cancelled`: unknown, then cancelled for certain. */
  readonly result: 'debited' | 'refused' | 'cancelled';
}

/** What became of credits: at most 200, of one instance. Repeats change nothing. */
export interface CreditSettled {
  readonly kind: 'CreditSettled';
  readonly transactionIds: readonly string[];
  /** `refused`: for certain; `unknown`: it is repeated; `exhausted`: it was repeated long enough, a person has to look. */
  readonly result: 'accepted' | 'refused' | 'unknown' | 'exhausted';
  readonly reason: string;
}

/** A person decides: a withheld credit may go, a dead one is tried again, or it was settled in another way. */
export interface ReleaseCredit {
  readonly kind: 'ReleaseCredit';
  readonly transactionId: string;
  readonly reason: string;
  readonly user: string;
}

export interface RetryCredit {
  readonly kind: 'RetryCredit';
  readonly transactionId: string;
  readonly reason: string;
  readonly user: string;
}

export interface ResolveCredit {
  readonly kind: 'ResolveCredit';
  readonly transactionId: string;
  readonly reason: string;
  readonly user: string;
}

/** What became of a diversion flush. Repeats change nothing. */
export interface FlushSettled {
  readonly kind: 'FlushSettled';
  readonly instance: string;
  readonly flushId: string;
  readonly result: 'confirmed' | 'failed';
}

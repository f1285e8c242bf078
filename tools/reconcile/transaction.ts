/** A debit or credit as the wallet sees it. */
export type TransactionType = 'Debit' | 'Credit';

/**
 * What the lanes say of a transaction. `by_hand`: a person resolved it, so the player was paid in another way
 * or by the wallet; `booked`: released while the brand had no wallet.
 */
export type LedgerState = 'open' | 'done' | 'cancelled' | 'by_hand' | 'booked';

export interface LedgerTransaction {
  readonly id: string;
  readonly type: TransactionType;
  readonly player: string;
  /** null: it is announced and not yet asked for alone. */
  readonly amountAtoms: bigint | null;
  readonly currency: string | null;
  readonly openedMs: number;
}

/** One row of a statement: a transaction that the wallet has executed, and perhaps cancelled since. */
export interface StatementRow {
  readonly id: string;
  readonly type: TransactionType;
  readonly player: string;
  /** Brand path or bare brand; null: the statement does not say. */
  readonly brand: string | null;
  readonly batch: string | null;
  readonly amountAtoms: bigint;
  readonly currency: string;
  readonly timestampMs: number;
  readonly state: 'done' | 'cancelled';
}

/** A statement cannot be read, or breaks its format. The message is for the user of the command. */
export class StatementError extends Error {}

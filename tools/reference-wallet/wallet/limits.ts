import { maxAmountAtoms } from '../../../src/lib/money.ts';

/** A player's balance, in real money or in bonus funds. */
export const maxBalanceAtoms = maxAmountAtoms;
/** Records of a batch, and transactions that W5 names. */
export const maxBatchRecords = 1_000;
/** Transactions, movements and players on a page. */
export const maxPage = 1_000;
/** Entries of one call of `/control`. */
export const maxControlEntries = 1_000;
export const maxFaultRules = 100;
/** Longest pause that a fault makes. */
export const maxFaultDelayMs = 600_000;

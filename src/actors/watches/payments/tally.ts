import type { CreditRecord, DebitRecord, SettlementKind } from '../../../messages/settlements.ts';

/** `paid`: a debit that the wallet has made, and that waits for its instance. */
type PaymentState = 'pending' | 'unknown' | 'withheld' | 'dead' | 'paid';

/** Open payments of one kind, state and currency. */
export interface OpenPayments {
  readonly kind: SettlementKind;
  readonly state: PaymentState;
  /** As the wallet pays it; `other` beyond the currencies that a lane's metrics have. */
  readonly currency: string;
  readonly count: number;
  readonly atoms: bigint;
  /** When the one that is open for longest was opened. */
  readonly oldestMs: number;
}

/** Labels of metrics have a bound: further currencies are counted together, and their sum is left out. */
export const maxTalliedCurrencies = 32;
const otherCurrencies = 'other';

/** Counts open payments by kind, state and currency. */
export class PaymentTally {
  readonly #rows = new Map<string, OpenPayments>();
  readonly #currencies = new Set<string>();

  addCredits(credits: readonly CreditRecord[]): void {
    for (const { kind, state, paidCurrency, paidAtoms, openedMs } of credits)
      if (state !== 'settled') this.#add(kind, state, paidCurrency, paidAtoms, openedMs);
  }

  addDebits(debits: readonly DebitRecord[], nowMs: number): void {
    for (const { debited, deadlineMs, currency, amountAtoms, openedMs } of debits) {
      const state = debited ? 'paid' : nowMs > deadlineMs ? 'unknown' : 'pending';
      this.#add('debit', state, currency, amountAtoms, openedMs);
    }
  }

  rows(): readonly OpenPayments[] {
    return [...this.#rows.values()];
  }

  #add(kind: SettlementKind, state: PaymentState, ofCurrency: string, atoms: bigint, openedMs: number): void {
    const currency = this.#labelOf(ofCurrency);
    const key = `${kind} ${state} ${currency}`;
    const row = this.#rows.get(key) ?? { kind, state, currency, count: 0, atoms: 0n, oldestMs: openedMs };
    this.#rows.set(key, {
      ...row,
      count: row.count + 1,
      atoms: currency === otherCurrencies ? 0n : row.atoms + atoms,
      oldestMs: Math.min(row.oldestMs, openedMs),
    });
  }

  #labelOf(currency: string): string {
    if (this.#currencies.has(currency)) return currency;
    if (this.#currencies.size >= maxTalliedCurrencies) return otherCurrencies;
    this.#currencies.add(currency);
    return currency;
  }
}

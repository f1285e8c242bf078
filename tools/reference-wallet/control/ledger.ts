import type { StoredMovement } from '../database/movements.ts';
import { maxPage } from '../wallet/limits.ts';
import type { WalletOperation } from '../wallet/operation.ts';
import { refused } from '../wallet/refusals.ts';

/**
 * The sums over everything: what was debited and credited, what was cancelled, whether a transaction moved
 * money twice, and whether the balances are the sums of what moved.
 */
export const readLedger: WalletOperation = {
  method: 'GET',
  path: '/control/ledger',
  changes: false,
  handle(_, { database: { movements } }) {
    const funds = new Map(movements.funds().map((one) => [one.currency, one]));
    const books = new Map(movements.books().map((one) => [one.currency, one]));
    const { debitsInOpenRounds, cancelled, tombstones } = movements.counts();
    const currencies = [...new Set([...funds.keys(), ...books.keys()])].sort().map((currency) => {
      const { heldAtoms = 0n, movedAtoms = 0n } = funds.get(currency) ?? {};
      const sums = books.get(currency);
      return {
        currency,
        debits: sums?.debits ?? 0,
        credits: sums?.credits ?? 0,
        debited: sums?.debitedAtoms ?? 0n,
        credited: sums?.creditedAtoms ?? 0n,
        cancelled_debits: sums?.cancelledDebitsAtoms ?? 0n,
        cancelled_credits: sums?.cancelledCreditsAtoms ?? 0n,
        balances: heldAtoms,
        difference: heldAtoms - movedAtoms,
      };
    });
    return {
      status: 200,
      body: {
        currencies,
        cancelled_transactions: cancelled,
        tombstones,
        debits_in_open_rounds: debitsInOpenRounds,
        applied_more_than_once: movements.repeated(),
      },
    };
  },
};

/** Every change of a balance, in order: `after` is the `seq` of the last one that was read. */
export const readMovements: WalletOperation = {
  method: 'GET',
  path: '/control/ledger/movements',
  changes: false,
  handle({ query }, { database: { movements } }) {
    const after = query.get('after') ?? '0';
    if (!/^[0-9]{1,15}$/.test(after)) return refused('amount_out_of_range');
    const page = movements.page(Number(after), maxPage);
    const next = page.length === maxPage ? (page.at(-1)?.seq ?? null) : null;
    return { status: 200, body: { movements: page.map(movementView), next } };
  },
};

function movementView(one: StoredMovement) {
  return {
    seq: one.seq,
    kind: one.kind,
    transaction_id: one.transaction,
    brand_id: one.brand,
    player_id: one.player,
    amount: one.realAtoms,
    bonus_amount: one.bonusAtoms,
    timestamp: one.atMs,
  };
}

import type { Books } from './books.ts';
import { expectThat } from './disagreement.ts';
import { atomsAt, flagAt } from './shape.ts';

/** One payment, as the file has it. */
export interface Credit {
  readonly amount: bigint;
  readonly player_paid_back: unknown;
  readonly withheld: unknown;
  /**
   * Whether the last contribution of the player was in the currency of the instance, so nothing is converted; else that
   * is unknown.
   */
  readonly isOwnCurrency: boolean;
}

/**
 * The part of a payment that left through account `player` (the rest through `fx`), null while it waits for the wallet
 * of the player or for a person. A later settlement only moves between accounts whose sum is checked.
 */
export function checkCredit(books: Books, credit: Credit): void {
  const { amount, isOwnCurrency, player_paid_back: paidBack, withheld } = credit;
  const isWithheld = flagAt(withheld, 'withheld');
  if (paidBack === null) {
    expectThat('wins', amount > 0n, 'a payment of nothing waits');
    books.waiting += amount;
    return;
  }
  expectThat('wins', !isWithheld, 'what is withheld was paid');
  const back = atomsAt(paidBack, 'player_paid_back');
  expectThat('wins', back <= amount, 'more was paid back than there was to pay');
  const isLost = isOwnCurrency && back < amount;
  expectThat('wins', !isLost, 'a conversion has taken from a payment that was not converted');
  books.playerMoved += back;
  books.fxMoved += amount - back;
}

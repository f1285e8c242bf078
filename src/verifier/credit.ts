import type { Books } from './books.ts';
import { expectThat } from './disagreement.ts';
import { atomsAt, flagAt } from './shape.ts';

/** One payment, as the file has it. */
export interface Credit {
  readonly amount: bigint;
  readonly player_paid_back: unknown;
  readonly withheld: unknown;
  /** The player came last in the instance's currency, so that nothing is converted; else that is not known. */
  readonly isOwnCurrency: boolean;
}

/**
 * What of a payment left through account `player` (the rest through `fx`), null while it waits for the player's wallet or
 * for a person. When it is settled later only moves between accounts whose sum is checked.
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

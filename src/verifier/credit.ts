import type { Books } from './books.ts';
import { expectThat } from './disagreement.ts';
import { atomsAt, flagAt } from './shape.ts';

/**
 * One payment to a player: what of it left through account `player` (the rest through `fx`), null while it waits for the
 * player's wallet or for a person. When it is settled later only moves between accounts whose sum is checked.
 */
export function checkCredit(books: Books, paidBack: unknown, withheld: unknown, amount: bigint): void {
  const isWithheld = flagAt(withheld, 'withheld');
  if (paidBack === null) {
    expectThat('wins', amount > 0n, 'a payment of nothing waits');
    books.waiting += amount;
    return;
  }
  expectThat('wins', !isWithheld, 'what is withheld was paid');
  const back = atomsAt(paidBack, 'player_paid_back');
  expectThat('wins', back <= amount, 'more was paid back than there was to pay');
  books.playerMoved += back;
  books.fxMoved += amount - back;
}

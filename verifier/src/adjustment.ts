import type { Books } from './books.ts';
import { Disagreement, expectSame } from './disagreement.ts';
import { atomsAt, type Members, objectAt } from './shape.ts';

const accounts = { current_value: 'current', seed_value: 'seed', surplus_seed: 'surplus' } as const;

/** An administrator set an account (A22): the difference is booked against `adjustment`. */
export function recomputeAdjustment(books: Books, sequence: number, detail: Members): void {
  const names = ['type', 'seq', 'pot', 'account', 'before', 'after'];
  const adjustment = objectAt(detail, `the adjustment of ${sequence}`, names);
  expectSame('money', 'seq of the adjustment', adjustment.seq as number, sequence);
  const before = atomsAt(adjustment.before, 'before');
  const after = atomsAt(adjustment.after, 'after');
  expectSame('money', 'the value before the adjustment', before, balanceOf(books, adjustment));
  books.adjustment -= after - before;
  setBalance(books, adjustment, after);
}

function balanceOf(books: Books, adjustment: Members): bigint {
  const { pot, account } = target(books, adjustment);
  return pot === null ? books.house : pot[account];
}

function setBalance(books: Books, adjustment: Members, value: bigint): void {
  const { pot, account } = target(books, adjustment);
  if (pot === null) books.house = value;
  else pot[account] = value;
  if (pot !== null && account === 'current' && books.drawRules !== 1) pot.lastDrawn = value;
}

function target(books: Books, adjustment: Members) {
  const name = adjustment.account;
  if (adjustment.pot === 'house' && name === 'current_value')
    return { pot: null, account: 'current' } as const;
  const pot = books.pots.find(({ id }) => id === adjustment.pot);
  if (pot === undefined || typeof name !== 'string' || !Object.hasOwn(accounts, name))
    throw new Disagreement('document', 'the adjustment names an account that does not exist');
  return { pot, account: accounts[name as keyof typeof accounts] };
}

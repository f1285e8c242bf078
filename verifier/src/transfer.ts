import { type Books, potBalances } from './books.ts';
import { Disagreement, expectSame, expectThat } from './disagreement.ts';
import { anyObject, balanceAt, type Members, objectAt, textAt } from './shape.ts';

type Balance = 'house' | 'operatorCapital' | 'transfer' | 'diverting';

/** A meter of the operator's advance, no money. */
const deficitName = 'accumulated_seed_deficit';

/** The place of an account of the instance in the books. Only balances left after all settlements are handed over. */
const places: Readonly<Record<string, Balance>> = {
  house: 'house',
  operator_capital: 'operatorCapital',
  transfer: 'transfer',
  diversion: 'diverting',
};

/**
 * Balances that went to another instance or the operator, or came from an instance (docs/jpd1.md "11. Other records").
 * The records of the other instance show the other side; here nothing may appear or vanish, and an instance that leaves
 * must leave nothing behind.
 */
export function recomputeTransfer(books: Books, sequence: number, detail: Members): void {
  const names = ['type', 'seq', 'other', 'accounts', 'accumulated_seed_deficit'];
  const record = objectAt(detail, `the transfer of ${sequence}`, names);
  expectSame('money', 'seq of the transfer', record.seq as number, sequence);
  if (record.other !== null) textAt(record.other, 'other');
  else expectSame('money', 'what returns to the operator', record.type as string, 'completion');
  let total = 0n;
  for (const [name, change] of Object.entries(anyObject(record.accounts, 'accounts'))) {
    const atoms = balanceAt(change, `change of ${name}`);
    expectThat('money', atoms !== 0n, `${name} is named and does not change`);
    const outside = record.other === null ? 'operator_capital' : 'transfer';
    const isOutside = name === 'operator_capital' || name === 'transfer';
    expectThat('money', !isOutside || name === outside, `${name} is not where the balances went`);
    const isComing = record.type === 'receipt';
    expectThat('money', isOutside || atoms > 0n === isComing, `${name} goes the wrong way`);
    applyChange(books, name, atoms);
    total += atoms;
  }
  expectSame('money', 'the sum of all changes', total, 0n);
  const leaves = record.type !== 'receipt';
  if (record.type === 'switch') books.isSwitched = true;
  const deficit = balanceAt(record.accumulated_seed_deficit, deficitName);
  const isFit = deficit === 0n || deficit > 0n !== leaves;
  expectThat('money', isFit, `${deficitName} goes the wrong way`);
  books.deficit += deficit;
  for (const [name, balance] of balancesOf(books)) {
    expectThat('money', balance >= 0n, `${name} falls below zero`);
    const mayStay = name === deficitName && record.other === null;
    if (leaves && !mayStay) expectSame('money', `${name} that is left behind`, balance, 0n);
  }
}

function applyChange(books: Books, name: string, atoms: bigint): void {
  if (Object.hasOwn(places, name)) {
    books[places[name]!] += atoms;
    return;
  }
  for (const pot of books.pots) {
    const account = potBalances.find((each) => name === `${pot.id}.${each}`);
    if (account === undefined) continue;
    pot[account] += atoms;
    return;
  }
  throw new Disagreement('document', `${name} is no account`);
}

function* balancesOf({ deficit, house, pots }: Books): Generator<readonly [string, bigint]> {
  yield ['house', house];
  yield [deficitName, deficit];
  for (const pot of pots) {
    for (const name of potBalances) yield [`${name} of pot ${pot.id}`, pot[name]];
  }
}

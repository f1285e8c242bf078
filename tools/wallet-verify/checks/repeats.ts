import { accepted, amountOf, ensureAmount, refused } from '../kit/answers.ts';
import type { Check } from '../kit/check.ts';
import type { Fields, Kit, TransactionType } from '../kit/kit.ts';

const parallel = 8;
const onceAdvice =
  'Store the transaction id under a unique constraint, in the same database transaction that moves the money, with the answer.';
const conflictAdvice =
  'Compare type, player, amount and currency with what you stored under the id, and refuse for good what differs.';

function repeated(type: TransactionType): Check {
  return {
    id: `repeats.${type.toLowerCase()}`,
    rule: `A ${type} that arrives twice is accepted twice and moves its amount once.`,
    advice: onceAdvice,
    async run(kit) {
      const before = await kit.balance();
      const transaction = kit.transaction(type, 3n);
      accepted(await kit.execute(transaction));
      const again = await kit.execute(transaction);
      accepted(again);
      ensureAmount('The balance', await kit.balance(), after(kit, before, type, 3n), again);
    },
  };
}

function inParallel(type: TransactionType): Check {
  return {
    id: `repeats.${type.toLowerCase()}-in-parallel`,
    rule: `A ${type} that arrives ${parallel} times at once is accepted each time and moves its amount once.`,
    advice: `${onceAdvice} A look-up before the insert is not enough.`,
    async run(kit) {
      const before = await kit.balance();
      const transaction = kit.transaction(type, 3n);
      const answers = await Promise.all(Array.from({ length: parallel }, () => kit.execute(transaction)));
      for (const answer of answers) accepted(answer);
      ensureAmount('The balance', await kit.balance(), after(kit, before, type, 3n), answers.at(-1));
    },
  };
}

function after(kit: Kit, before: bigint, type: TransactionType, units: bigint): bigint {
  return before + (type === 'Credit' ? 1n : -1n) * units * kit.main.minorAtoms;
}

/** The id of an executed debit with other content. */
function conflict(id: string, what: string, changes: (kit: Kit) => Fields): Check {
  return {
    id,
    rule: `A known transaction id with another ${what} is refused for good and moves nothing.`,
    advice: conflictAdvice,
    async run(kit) {
      const { fields, ...executed } = await kit.debit(3n);
      const before = await kit.balance();
      const other = await kit.execute({ ...executed, fields: { ...fields, ...changes(kit) } });
      refused(other);
      ensureAmount('The balance afterwards', await kit.balance(), before, other);
    },
  };
}

/** A transaction id counts once. */
export const repeatChecks: readonly Check[] = [
  repeated('Debit'),
  repeated('Credit'),
  inParallel('Debit'),
  inParallel('Credit'),
  {
    id: 'repeats.same-answer',
    rule: 'A repeated transaction is answered as the first time, whatever has happened since.',
    advice: 'Store the balance of the first answer with the transaction, and answer with that.',
    async run(kit) {
      const first = await kit.debit(3n);
      await kit.debit(4n);
      const again = await kit.execute(first);
      ensureAmount('`balance` of the repeat', amountOf(again, 'balance'), first.balance, again);
    },
  },
  {
    id: 'repeats.equal-amounts',
    rule: 'Two transactions with different ids both count, although all else is equal.',
    advice: 'Deduplicate by the transaction id alone: not by amount, player, time or game round.',
    async run(kit) {
      const before = await kit.balance();
      const { round } = await kit.debit(3n);
      const { exchange } = await kit.debit(3n, { gameround_id: round });
      ensureAmount('The balance', await kit.balance(), before - 6n * kit.main.minorAtoms, exchange);
    },
  },
  conflict('repeats.other-amount', 'amount', (kit) => ({ amount: 4n * kit.main.minorAtoms })),
  conflict('repeats.other-type', 'type', () => ({ transaction_type: 'Credit' })),
  conflict('repeats.other-player', 'player', (kit) => ({ player_id: kit.second.id })),
  conflict('repeats.other-currency', 'currency', (kit) => ({ currency: kit.otherCurrency })),
  {
    id: 'repeats.refused-debit',
    rule: 'A debit that was refused stays refused, although the player has the money by then.',
    advice:
      'Store the id of a debit that you refuse, with the refusal, and answer with that: a copy of the request may arrive after the next deposit, and the service has refused the contribution.',
    async run(kit) {
      const amount = (await kit.balance()) + kit.main.minorAtoms;
      const debit = kit.transaction('Debit', 0n, { amount });
      refused(await kit.execute(debit));
      await kit.credit(2n);
      const before = await kit.balance();
      const again = await kit.execute(debit);
      const after = await kit.balance();
      // The checks that follow need the money.
      if (after !== before) await kit.cancel(debit);
      refused(again);
      ensureAmount('The balance afterwards', after, before, again);
    },
  },
];

import { accepted, amountOf, confirmed, ensureAmount, kindOf, refused } from '../kit/answers.ts';
import { type Check, ensure } from '../kit/check.ts';

const parallel = 8;
const races = 12;
const tombstoneAdvice =
  'Store each id that W2 names, also one that you do not know, and refuse a transaction of that id for ever. The request may be on its way while the service gives up on it.';

/** W2. */
export const cancellationChecks: readonly Check[] = [
  {
    id: 'w2.debit',
    rule: 'Cancelling a debit gives the player exactly its amount back.',
    advice: 'Add the amount of the debit, and mark it as cancelled in the same database transaction.',
    async run(kit) {
      const before = await kit.balance();
      const exchange = await kit.cancel(await kit.debit(37n));
      accepted(exchange);
      ensureAmount('The balance afterwards', await kit.balance(), before, exchange);
    },
  },
  {
    id: 'w2.answer',
    rule: 'The answer to W2 has the balance after the cancellation.',
    advice: 'Answer {"balance": "…"}: a decimal string.',
    async run(kit) {
      const before = await kit.balance();
      const exchange = await kit.cancel(await kit.debit(5n));
      ensureAmount('`balance`', amountOf(exchange, 'balance'), before, exchange);
    },
  },
  {
    id: 'w2.without-details',
    rule: 'W2 may leave out the game round and the player.',
    advice: 'The transaction id is enough; accept null in `gameround_id` and `player_id`.',
    async run(kit) {
      const debit = await kit.debit(5n);
      accepted(await kit.cancel(debit, { gameround_id: null, player_id: null }));
      accepted(await kit.cancel(await kit.debit(5n), { gameround_id: undefined, player_id: undefined }));
    },
  },
  {
    id: 'w2.twice',
    rule: 'A second cancellation is confirmed and gives nothing back.',
    advice:
      'Answer as the first time, or 404 or 409 with the error shape. Anything else is repeated until you do.',
    async run(kit) {
      const before = await kit.balance();
      const debit = await kit.debit(5n);
      accepted(await kit.cancel(debit));
      const again = await kit.cancel(debit);
      confirmed(again);
      ensureAmount('The balance afterwards', await kit.balance(), before, again);
    },
  },
  {
    id: 'w2.in-parallel',
    rule: `${parallel} cancellations at once are confirmed and give the amount back once.`,
    advice: 'Lock the transaction, or change its state with a condition, before you add the money.',
    async run(kit) {
      const before = await kit.balance();
      const debit = await kit.debit(5n);
      const answers = await Promise.all(Array.from({ length: parallel }, () => kit.cancel(debit)));
      for (const answer of answers) confirmed(answer);
      ensureAmount('The balance afterwards', await kit.balance(), before, answers.at(-1));
    },
  },
  {
    id: 'w2.unknown',
    rule: 'Cancelling an unknown transaction is confirmed: 404 or 409 of the error shape, or 2xx.',
    advice: 'Answer 404 with the error shape. The service repeats W2 until it is confirmed.',
    async run(kit) {
      confirmed(await kit.cancel(kit.transaction('Debit', 5n)));
    },
  },
  tombstone(
    'w2.tombstone',
    'A transaction that arrives after its cancellation is refused for good and moves nothing.',
    'Debit',
  ),
  tombstone('w2.tombstone-credit', 'A cancelled id is refused for a credit, too.', 'Credit'),
  {
    id: 'w2.refused',
    rule: 'Cancelling a refused debit is confirmed and gives nothing back.',
    advice:
      'Answer 404 or 409 with the error shape: nothing was debited. A refused debit has no amount to give back.',
    async run(kit) {
      const before = await kit.balance();
      const debit = kit.transaction('Debit', 0n, { amount: before + kit.main.minorAtoms });
      refused(await kit.execute(debit));
      const exchange = await kit.cancel(debit);
      confirmed(exchange);
      const after = await kit.balance();
      refused(await kit.execute(debit));
      ensureAmount('The balance afterwards', after, before, exchange);
    },
  },
  {
    id: 'w2.other-player',
    rule: "W2 with another player's id is refused for good, but not with 404 or 409, and cancels nothing.",
    advice:
      'Compare `player_id`, where it is given, with the player of the transaction. 404 and 409 mean that it is cancelled.',
    async run(kit) {
      const debit = await kit.debit(5n);
      const before = await kit.balance();
      const other = await kit.cancel(debit, { player_id: kit.second.id });
      const after = await kit.balance();
      ensureAmount('The balance afterwards', after, before, other);
      refused(other);
      const isConfirmed = other.status === 404 || other.status === 409;
      ensure(!isConfirmed, `The status is ${other.status}: the service takes it for a cancellation.`, other);
      accepted(await kit.cancel(debit));
    },
  },
  {
    id: 'w2.not-executed-again',
    rule: 'A cancelled transaction is not executed again when it is repeated.',
    advice: tombstoneAdvice,
    async run(kit) {
      const before = await kit.balance();
      const debit = await kit.debit(5n);
      confirmed(await kit.cancel(debit));
      const again = await kit.execute(debit);
      refused(again);
      ensureAmount('The balance afterwards', await kit.balance(), before, again);
    },
  },
  {
    id: 'w2.race',
    rule: 'A debit and its cancellation at the same moment end with nothing debited, whichever comes first.',
    advice: `${tombstoneAdvice} Serialise both by the transaction id.`,
    async run(kit) {
      const before = await kit.balance();
      for (let count = 0; count < races; count += 1) {
        const debit = kit.transaction('Debit', 5n);
        const [, cancelled] = await Promise.all([kit.execute(debit), kit.cancel(debit)]);
        confirmed(kindOf(cancelled) === 'unknown' ? await kit.cancel(debit) : cancelled);
        ensureAmount('The balance afterwards', await kit.balance(), before, cancelled);
      }
    },
  },
  {
    id: 'w2.credit',
    rule: 'Cancelling a credit takes exactly its amount back.',
    advice: 'W2 cancels debits and credits. Refuse for good if the player has spent the money.',
    async run(kit) {
      const before = await kit.balance();
      const exchange = await kit.cancel(await kit.credit(11n));
      accepted(exchange);
      ensureAmount('The balance afterwards', await kit.balance(), before, exchange);
    },
  },
];

/** The service gives up on a transaction, whose request arrives all the same. */
function tombstone(id: string, rule: string, type: 'Debit' | 'Credit'): Check {
  return {
    id,
    rule,
    advice: tombstoneAdvice,
    async run(kit) {
      const before = await kit.balance();
      const transaction = kit.transaction(type, 5n);
      confirmed(await kit.cancel(transaction));
      const late = await kit.execute(transaction);
      refused(late);
      ensureAmount('The balance afterwards', await kit.balance(), before, late);
    },
  };
}

import { accepted, amountOf, ensureAmount, refused } from '../kit/answers.ts';
import type { Check } from '../kit/check.ts';
import type { Fields, Kit, TransactionType } from '../kit/kit.ts';

/** The request must be refused for good and move nothing. */
function refuses(
  id: string,
  rule: string,
  advice: string,
  type: TransactionType,
  changes: (kit: Kit) => Fields | Promise<Fields>,
): Check {
  return {
    id,
    rule,
    advice,
    async run(kit) {
      const before = await kit.balance();
      const transaction = kit.transaction(type, 1n, await changes(kit));
      const exchange = await kit.execute(transaction);
      refused(exchange);
      ensureAmount('The balance afterwards', await kit.balance(), before, exchange);
    },
  };
}

const shapeAdvice = 'Answer 4xx with {"status_code", "code", "message"}; 400 or 422 are usual.';

/** W3: what moves, what does not, and what is refused. */
export const transactionChecks: readonly Check[] = [
  {
    id: 'w3.debit',
    rule: 'A debit takes exactly its amount, and answers with the balance after it.',
    advice: 'Subtract `amount`, and answer {"balance": …, "metadata": null}.',
    async run(kit) {
      const before = await kit.debit(1n);
      const after = await kit.debit(100n);
      ensureAmount('`balance`', after.balance, before.balance - 100n * kit.main.minorAtoms, after.exchange);
      ensureAmount('The balance that W1 has', await kit.balance(), after.balance, after.exchange);
    },
  },
  {
    id: 'w3.credit',
    rule: 'A credit adds exactly its amount, and answers with the balance after it.',
    advice: 'Add `amount`, and answer {"balance": …, "metadata": null}.',
    async run(kit) {
      const before = await kit.credit(1n, { jackpot_amount: 0 });
      const after = await kit.credit(100n, { jackpot_amount: 0 });
      ensureAmount('`balance`', after.balance, before.balance + 100n * kit.main.minorAtoms, after.exchange);
    },
  },
  {
    id: 'w3.jackpot-amount',
    rule: '`jackpot_amount` is a part of `amount` and not paid on top.',
    advice: 'Add `amount` alone; `jackpot_amount` is for reports.',
    async run(kit) {
      const before = await kit.balance();
      const { exchange } = await kit.credit(100n);
      ensureAmount('The balance', await kit.balance(), before + 100n * kit.main.minorAtoms, exchange);
    },
  },
  {
    id: 'w3.whole-balance',
    rule: 'A player may spend the whole balance.',
    advice: 'Compare with "less than", and let the balance become 0.',
    async run(kit) {
      const balance = await kit.balance();
      const spent = await kit.debit(balance / kit.main.minorAtoms);
      ensureAmount('`balance`', spent.balance, balance % kit.main.minorAtoms, spent.exchange);
      await kit.credit(balance / kit.main.minorAtoms);
    },
  },
  refuses(
    'w3.insufficient-funds',
    'A debit of more than the balance is refused for good and moves nothing.',
    'Answer 4xx with the error shape, for example 422 insufficient_funds. A 2xx would count as paid, a 5xx as unknown.',
    'Debit',
    async (kit) => ({ amount: (await kit.balance()) + kit.main.minorAtoms }),
  ),
  refuses(
    'w3.player-unknown',
    'A transaction of an unknown player is refused for good.',
    shapeAdvice,
    'Credit',
    (kit) => ({ player_id: `verify-${kit.newId()}` }),
  ),
  refuses(
    'w3.currency-mismatch',
    "A transaction in another currency than the player's is refused for good.",
    'Do not convert: the amount is in `currency`, and that must be the currency of the player.',
    'Credit',
    (kit) => ({ currency: kit.otherCurrency }),
  ),
  refuses('w3.negative-amount', 'A negative amount is refused for good.', shapeAdvice, 'Debit', (kit) => ({
    amount: -kit.main.minorAtoms,
  })),
  refuses(
    'w3.type-unknown',
    'A type that is neither Debit nor Credit is refused for good.',
    shapeAdvice,
    'Debit',
    () => ({
      transaction_type: 'Gift',
    }),
  ),
  refuses(
    'w3.field-missing',
    'A transaction without an id is refused for good.',
    shapeAdvice,
    'Debit',
    () => ({
      transaction_id: undefined,
    }),
  ),
  {
    id: 'w3.unknown-fields',
    rule: 'Fields that the wallet does not know are ignored.',
    advice: 'Do not refuse members that are new to you: later versions of the service add some.',
    async run(kit) {
      await kit.debit(1n, { added_later: { in: ['a', 'later', 'version'] }, promotion_id: null });
    },
  },
  {
    id: 'w3.metadata',
    rule: '`metadata` may be any JSON value.',
    advice: 'Store it or ignore it. It holds objects, lists, text of any language, and null.',
    async run(kit) {
      await kit.debit(1n, { metadata: { text: 'Ünïcode ✓ "quoted"', list: [1, { deep: null }] } });
      await kit.debit(1n, { metadata: null });
    },
  },
  {
    id: 'w3.zero-credit',
    rule: 'A credit of 0 that closes a game round is accepted and moves nothing.',
    advice: 'Accept amount 0. With `close_rounds` each round without a win ends like this.',
    async run(kit) {
      const { round } = await kit.debit(1n);
      const before = await kit.balance();
      const changes = { gameround_id: round, source_variant: null };
      const { exchange } = await kit.credit(0n, changes);
      ensureAmount('The balance', await kit.balance(), before, exchange);
    },
  },
  {
    id: 'w3.win-of-a-round',
    rule: 'The credit of a win names the game round of the debit and closes it.',
    advice: 'Accept a credit with `gameround_complete` true in a round that you know from its debit.',
    async run(kit) {
      const { round } = await kit.debit(2n);
      await kit.credit(5n, { gameround_id: round });
    },
  },
  {
    id: 'w3.closed-round',
    rule: 'A transaction with `gameround_complete` true closes its game round: a debit of the round is refused for good.',
    advice:
      'Look for a complete transaction of the `gameround_id` before you debit. Rounds are known by that id alone.',
    async run(kit) {
      const { round } = await kit.debit(1n);
      await kit.credit(0n, { gameround_id: round, source_variant: null });
      const before = await kit.balance();
      const late = await kit.execute(kit.transaction('Debit', 2n, { gameround_id: round }));
      refused(late);
      ensureAmount('The balance afterwards', await kit.balance(), before, late);
      await kit.debit(1n);
    },
  },
  {
    id: 'w3.late-credit',
    rule: 'A credit is accepted although its game round is closed.',
    advice: 'Pay late wins: a closed round refuses debits at most. A refused win waits for a person.',
    async run(kit) {
      const { round } = await kit.debit(1n);
      await kit.credit(0n, { gameround_id: round, source_variant: null });
      const before = await kit.balance();
      const { exchange } = await kit.credit(7n, { gameround_id: round });
      ensureAmount('The balance', await kit.balance(), before + 7n * kit.main.minorAtoms, exchange);
    },
  },
  {
    id: 'w3.credit-of-new-round',
    rule: 'A credit of a game round that the wallet has never heard of is accepted.',
    advice: 'Raffle prizes and wins that the operator triggers have no debit before them.',
    async run(kit) {
      await kit.credit(3n);
    },
  },
  {
    id: 'w3.credit-without-session',
    rule: 'A credit needs no session of the player.',
    advice: 'Credits carry no token. Pay them although the player has logged out.',
    async run(kit) {
      const first = amountOf((await kit.credit(1n, {}, kit.second)).exchange, 'balance');
      const { balance, exchange } = await kit.credit(1n, {}, kit.second);
      ensureAmount('`balance`', balance, first + kit.second.minorAtoms, exchange);
    },
  },
  {
    id: 'w3.free-bet',
    rule: 'A debit may name a free bet that is not used.',
    advice: 'Accept null in `bonus_id`, and `bonus_amount` 0.',
    async run(kit) {
      const transaction = kit.transaction('Debit', 1n, {
        bonus_id: null,
        bonus_amount: 0,
        promotion_type: null,
      });
      accepted(await kit.execute(transaction));
    },
  },
];

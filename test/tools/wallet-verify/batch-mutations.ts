import { answers, type BrokenWallet, isGood, refusal, withBody } from './broken-wallet.ts';
import type { Mutation } from './mutant.ts';

type BatchRecord = Readonly<Record<'transaction_id' | 'player_id', string>> &
  Readonly<Record<'amount' | 'jackpot_amount', number>>;

const sumOf = (records: readonly BatchRecord[], name: 'amount' | 'jackpot_amount'): number =>
  Math.round(records.reduce((sum, one) => sum + one[name], 0) * 100) / 100;

/** Where small bodies are enough, as a framework has it. */
const maxBytes = 100 * 1024;

/** Wallets that are careless with batches. */
export const batchMutations: readonly BrokenWallet[] = [
  {
    name: 'takes no body of more than 100 KiB',
    mutation: () => (request, behind) =>
      request.text.length > maxBytes
        ? Promise.resolve(refusal(413, 'payload_too_large'))
        : behind.pass(request),
    fails: ['w4.thousand-records'],
  },
  {
    name: 'takes a record of another amount for a repeat',
    mutation: answers(({ call, body }, answer) =>
      call === 'W4' && answer.text.includes('transaction_conflict')
        ? withBody(answer, {
            total_amount: body.amount,
            total_jackpot_amount: body.jackpot_amount,
            errors: [],
          })
        : answer,
    ),
    fails: ['w4.record-conflict'],
  },
  {
    name: 'does not add the jackpot amounts of a batch up',
    mutation: () => (request, behind) => {
      const { call, body } = request;
      if (call !== 'W4') return behind.pass(request);
      return behind.pass(request, { ...body, jackpot_amount: sumOf(body.transactions, 'jackpot_amount') });
    },
    fails: ['w4.wrong-jackpot-total'],
  },
  {
    name: 'says the total amount of a batch as its jackpot amount',
    mutation: answers(({ call }, answer) =>
      call === 'W4' && isGood(answer)
        ? withBody(answer, { total_jackpot_amount: JSON.parse(answer.text).total_amount })
        : answer,
    ),
    fails: ['w4.jackpot-total', 'w4.debit-errors'],
  },
  {
    name: 'executes the first record of a player whom a batch names twice',
    mutation: () => (request, behind) => {
      const { call, body } = request;
      if (call !== 'W4') return behind.pass(request);
      const players = (body.transactions as readonly BatchRecord[]).map((one) => one.player_id);
      if (new Set(players).size === players.length) return behind.pass(request);
      const transactions: readonly BatchRecord[] = body.transactions.filter(
        (one: BatchRecord, index: number) => players.indexOf(one.player_id) === index,
      );
      const [amount, jackpot_amount] = [sumOf(transactions, 'amount'), sumOf(transactions, 'jackpot_amount')];
      return behind.pass(request, { ...body, transactions, amount, jackpot_amount });
    },
    fails: ['w4.player-twice'],
  },
  {
    name: 'executes records of a batch whose id was cancelled',
    mutation: (): Mutation => {
      const cancelled = new Set<string>();
      return async (request, behind) => {
        const { call, id, body } = request;
        if (call === 'W4') {
          const transactions = body.transactions.map((one: BatchRecord) =>
            cancelled.has(one.transaction_id) ? { ...one, transaction_id: behind.newId() } : one,
          );
          return behind.pass(request, { ...body, transactions });
        }
        const answer = await behind.pass(request);
        if (call === 'W2' && answer.status === 404) cancelled.add(id);
        return answer;
      };
    },
    fails: ['w4.cancelled-record'],
  },
  {
    name: 'forgets cancellations of batches that it does not know',
    mutation: (): Mutation => {
      const known = new Set<string>();
      return (request, behind) => {
        if (request.call === 'W4') known.add(request.id);
        return request.call === 'W5' && !known.has(request.id)
          ? Promise.resolve(refusal(404, 'batch_not_found'))
          : behind.pass(request);
      };
    },
    fails: ['w5.tombstone', 'w5.tombstone-debits', 'w5.tombstone-records'],
  },
  {
    name: 'forgets the transactions of a cancelled batch that it does not know',
    mutation: (): Mutation => {
      const known = new Set<string>();
      return (request, behind) => {
        if (request.call === 'W4') known.add(request.id);
        return request.call === 'W5' && !known.has(request.id)
          ? behind.pass(request, { ...request.body, transaction_id_list: [] })
          : behind.pass(request);
      };
    },
    fails: ['w5.tombstone-records'],
  },
  {
    name: 'wants the game round of batches and of their cancellations',
    mutation: () => (request, behind) => {
      const { call, body } = request;
      const isIncomplete = (call === 'W4' || call === 'W5') && !('gameround_id' in body);
      return isIncomplete ? Promise.resolve(refusal(400, 'invalid_request')) : behind.pass(request);
    },
    fails: ['w4.without-round', 'w5.without-round'],
  },
  {
    name: 'cancels no batch of credits',
    mutation: (): Mutation => {
      const credits = new Set<string>();
      return (request, behind) => {
        const { call, id, body } = request;
        if (call === 'W4' && body.transaction_type === 'Credit') credits.add(id);
        return call === 'W5' && credits.has(id)
          ? Promise.resolve(refusal(422, 'not_a_debit'))
          : behind.pass(request);
      };
    },
    fails: ['w5.credits'],
  },
];

import { answers, type BrokenWallet, isGood, refusal } from './broken-wallet.ts';
import type { Mutation } from './mutant.ts';

const isRefusedForFunds = (text: string): boolean => text.includes('insufficient_funds');
const cancelPath = (id: string): string => `/transactions/${id}/cancel`;

/** Wallets that forget what they refused or cancelled, or remember too little of a transaction. */
export const memoryMutations: readonly BrokenWallet[] = [
  {
    name: 'executes a refused debit that arrives again after a deposit',
    mutation: (): Mutation => {
      const refused = new Set<string>();
      const renamed = new Map<string, string>();
      return async (request, behind) => {
        const { call, id, body } = request;
        if (call === 'W2') return behind.pass(request, undefined, cancelPath(renamed.get(id) ?? id));
        if (call === 'W3' && refused.has(id)) {
          const other = behind.newId();
          renamed.set(id, other);
          return behind.pass(request, { ...body, transaction_id: other });
        }
        const answer = await behind.pass(request);
        if (call === 'W3' && isRefusedForFunds(answer.text)) refused.add(id);
        return answer;
      };
    },
    fails: ['repeats.refused-debit'],
  },
  {
    name: 'gives a refused debit back when it is cancelled',
    mutation: (): Mutation => {
      const refused = new Map<string, { player: string; amount: number }>();
      return async (request, behind) => {
        const { call, id, body } = request;
        const answer = await behind.pass(request);
        if (call === 'W3' && isRefusedForFunds(answer.text))
          refused.set(id, { player: body.player_id, amount: body.amount });
        const known = call === 'W2' ? refused.get(id) : undefined;
        if (known === undefined) return answer;
        await behind.deposit(known.player, known.amount);
        return { status: 200, text: '{"balance":"0"}' };
      };
    },
    fails: ['w2.refused'],
  },
  {
    name: 'does not compare the currency of a repeat',
    mutation: (): Mutation => {
      const currencies = new Map<string, string>();
      return async (request, behind) => {
        const { call, id, body } = request;
        const known = currencies.get(id);
        if (call === 'W3' && known !== undefined && known !== body.currency)
          return behind.pass(request, { ...body, currency: known });
        const answer = await behind.pass(request);
        if (call === 'W3' && isGood(answer)) currencies.set(id, body.currency);
        return answer;
      };
    },
    fails: ['repeats.other-currency'],
  },
  {
    name: 'cuts decimals that the currency does not have',
    mutation: () => (request, behind) => {
      const { call, body } = request;
      const [, cut] = /^(\d+\.\d\d)\d+$/.exec(String(body?.amount)) ?? [];
      const isCut = call === 'W3' && body?.currency === 'EUR' && cut !== undefined;
      return isCut ? behind.pass(request, { ...body, amount: Number(cut) }) : behind.pass(request);
    },
    fails: ['amounts.too-many-decimals'],
  },
  {
    name: 'executes credits whose id was cancelled',
    mutation: (): Mutation => {
      const cancelled = new Set<string>();
      return async (request, behind) => {
        const { call, id, body } = request;
        if (call === 'W3' && cancelled.has(id) && body.transaction_type === 'Credit')
          return behind.pass(request, { ...body, transaction_id: behind.newId() });
        const answer = await behind.pass(request);
        if (call === 'W2' && answer.status === 404) cancelled.add(id);
        return answer;
      };
    },
    fails: ['w2.tombstone-credit'],
  },
  {
    name: 'does not look at the player of a cancellation',
    mutation: () => (request, behind) =>
      request.call === 'W2' ? behind.pass(request, {}) : behind.pass(request),
    fails: ['w2.other-player'],
  },
  {
    name: 'says 404 where a cancellation names another player',
    mutation: answers((_, answer) =>
      answer.text.includes('transaction_mismatch') ? refusal(404, 'transaction_not_found') : answer,
    ),
    fails: ['w2.other-player'],
  },
  {
    name: 'wants the game round of a cancellation',
    mutation: () => (request, behind) =>
      request.call === 'W2' && !('gameround_id' in request.body)
        ? Promise.resolve(refusal(400, 'invalid_request'))
        : behind.pass(request),
    fails: ['w2.without-details'],
  },
];

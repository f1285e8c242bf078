import { batchMutations } from './batch-mutations.ts';
import { answers, type BrokenWallet, isGood, refusal, withBody } from './broken-wallet.ts';
import { memoryMutations } from './memory-mutations.ts';
import type { MutantAnswer, MutantRequest, Mutation } from './mutant.ts';

const isAuthentic = ({ status }: MutantAnswer): boolean => status !== 401;

/** Executes what it was asked under another id, wherever `when` says so; W2 finds the newest one. */
function underAnotherId(when: (request: MutantRequest, seen: number) => boolean): () => Mutation {
  return () => {
    const seen = new Map<string, number>();
    const newest = new Map<string, string>();
    return async (request, behind) => {
      const { call, id } = request;
      const count = (seen.get(id) ?? 0) + 1;
      if (call === 'W3') seen.set(id, count);
      if (call === 'W2')
        return behind.pass(request, undefined, `/transactions/${newest.get(id) ?? id}/cancel`);
      if (call !== 'W3' || request.body === null || id === '' || !when(request, count))
        return behind.pass(request);
      const other = behind.newId();
      newest.set(id, other);
      return behind.pass(request, { ...request.body, transaction_id: other });
    };
  };
}

const isSigned = ({ headers }: MutantRequest): boolean => headers['x-server-authorization'] !== undefined;

export const brokenWallets: readonly BrokenWallet[] = [
  {
    name: 'executes every repeat of a transaction',
    mutation: underAnotherId((request, count) => count > 1 && isSigned(request)),
    fails: [
      'repeats.debit',
      'repeats.credit',
      'repeats.debit-in-parallel',
      'repeats.credit-in-parallel',
      'repeats.same-answer',
      'repeats.other-amount',
      'repeats.other-type',
      'repeats.other-player',
      'repeats.refused-debit',
      'w2.not-executed-again',
    ],
  },
  {
    name: 'takes equal amounts of a game round for a repeat',
    mutation: () => {
      const first = new Map<string, { id: string; answer: MutantAnswer }>();
      return async (request, behind) => {
        const { call, id, body } = request;
        const answerOf = () => behind.pass(request);
        if (call !== 'W3' || body === null) return answerOf();
        const key = JSON.stringify([body.player_id, body.transaction_type, body.amount, body.gameround_id]);
        const known = first.get(key);
        if (known !== undefined && known.id !== id) return known.answer;
        const answer = await answerOf();
        if (isGood(answer)) first.set(key, { id, answer });
        return answer;
      };
    },
    fails: ['repeats.equal-amounts'],
  },
  {
    name: 'computes balances as floating-point numbers of 32 bits',
    mutation: () => {
      const held = new Map<string, number>();
      return async (request, behind) => {
        const answer = await behind.pass(request);
        const { call, body } = request;
        if (!isGood(answer) || call !== 'W3') return answer;
        const { balance } = JSON.parse(answer.text);
        const amount = Number(body.amount) * (body.transaction_type === 'Debit' ? -1 : 1);
        const known = held.get(body.player_id) ?? balance - amount;
        // The drift of a sum, kept as long as it is one.
        const next = Math.fround(known + amount);
        held.set(body.player_id, Math.abs(next - balance) < 0.01 ? next : balance);
        return withBody(answer, { balance: held.get(body.player_id) });
      };
    },
    fails: ['amounts.no-drift'],
    // A sum drifts wherever two decimals meet that no double holds.
    failsMore: true,
  },
  {
    name: 'forgets cancellations of what it does not know',
    mutation: () => {
      const buried = new Set<string>();
      const renamed = new Map<string, string>();
      return async (request, behind) => {
        const { call, id, body } = request;
        if (call === 'W2') {
          const answer = await behind.pass(
            request,
            undefined,
            `/transactions/${renamed.get(id) ?? id}/cancel`,
          );
          if (answer.status === 404) buried.add(id);
          return answer;
        }
        if (call !== 'W3' || !buried.has(id)) return behind.pass(request);
        renamed.set(id, renamed.get(id) ?? behind.newId());
        return behind.pass(request, { ...body, transaction_id: renamed.get(id) });
      };
    },
    fails: ['w2.tombstone', 'w2.tombstone-credit'],
  },
  {
    name: 'gives money back at every cancellation',
    mutation: () => {
      const cancelled = new Set<string>();
      const amounts = new Map<string, { player: string; amount: number }>();
      return async (request, behind) => {
        const { call, id, body } = request;
        const answer = await behind.pass(request);
        if (call === 'W3' && isGood(answer) && body.transaction_type === 'Debit')
          amounts.set(id, { player: body.player_id, amount: body.amount });
        const known = amounts.get(id);
        if (call !== 'W2' || !isGood(answer) || known === undefined) return answer;
        if (cancelled.has(id)) await behind.deposit(known.player, known.amount);
        cancelled.add(id);
        return answer;
      };
    },
    fails: ['w2.twice', 'w2.in-parallel'],
  },
  {
    name: 'does not look at the signature',
    mutation: () => (request, behind) =>
      request.headers.authorization?.endsWith('x') === false
        ? behind.passSigned(request)
        : behind.pass(request),
    fails: ['keys.signature-missing', 'keys.signature-wrong', 'keys.body-tampered'],
  },
  {
    name: 'takes any bearer key',
    mutation: () => (request, behind) =>
      behind.pass({
        ...request,
        headers: { ...request.headers, authorization: 'Bearer bearer-of-the-tests' },
      }),
    fails: ['keys.bearer-missing', 'keys.bearer-wrong'],
  },
  {
    name: 'answers 400 where the keys are wrong',
    mutation: answers((_, answer) => (isAuthentic(answer) ? answer : refusal(400, 'bad_keys'))),
    fails: [
      'keys.bearer-missing',
      'keys.bearer-wrong',
      'keys.signature-missing',
      'keys.signature-wrong',
      'keys.body-tampered',
    ],
  },
  {
    name: 'signs the JSON that it writes again',
    mutation: () => (request, behind) => {
      const isWritten = request.body !== null && JSON.stringify(request.body) === request.text;
      return isWritten || request.body === null
        ? behind.pass(request)
        : Promise.resolve(refusal(401, 'unauthenticated'));
    },
    fails: ['keys.signature-raw-body'],
  },
  {
    name: 'says 200 where the player has not enough',
    mutation: answers((_, answer) =>
      answer.text.includes('insufficient_funds')
        ? { status: 200, text: '{"balance":0,"metadata":null}' }
        : answer,
    ),
    fails: [
      'w3.insufficient-funds',
      'repeats.refused-debit',
      'w2.refused',
      'w4.debit-errors',
      'w5.refused-record',
    ],
  },
  {
    name: 'says 500 where it refuses a transaction',
    mutation: answers(({ call }, answer) =>
      call === 'W3' && answer.status === 422 ? refusal(500, 'refused') : answer,
    ),
    fails: [
      'w3.insufficient-funds',
      'w3.player-unknown',
      'w3.currency-mismatch',
      'w3.negative-amount',
      'w3.closed-round',
      'repeats.other-amount',
      'repeats.other-type',
      'repeats.other-player',
      'repeats.other-currency',
      'repeats.refused-debit',
      'w2.tombstone',
      'w2.tombstone-credit',
      'w2.refused',
      'w2.not-executed-again',
      'w5.tombstone-records',
      'http.no-server-errors',
    ],
  },
  {
    name: 'says 401 where a token is not good',
    mutation: answers(({ call }, answer) =>
      call === 'W1' && answer.status === 422 ? refusal(401, 'token_invalid') : answer,
    ),
    fails: ['w1.token-unknown', 'w1.token-expired', 'w1.token-revoked', 'w1.other-brand'],
  },
  {
    name: 'says the brand and the currency of the request',
    mutation: answers(({ call, body }, answer) =>
      call === 'W1' && isGood(answer) ? withBody(answer, { currency: body.currency }) : answer,
    ),
    fails: ['w1.other-currency'],
  },
  {
    name: 'leaves every round open',
    mutation: () => (request, behind) => {
      const { call, body } = request;
      const closes = call === 'W3' && body?.gameround_complete === true;
      return behind.pass(request, closes ? { ...body, gameround_complete: false } : undefined);
    },
    fails: ['w3.closed-round'],
  },
  {
    name: 'refuses late credits',
    mutation: () => {
      const closed = new Set<string>();
      return async (request, behind) => {
        const { call, body } = request;
        if (call !== 'W3' || body === null) return behind.pass(request);
        const isRepeat = closed.has(`${body.gameround_id} ${body.transaction_id}`);
        if (body.transaction_type === 'Credit' && closed.has(body.gameround_id) && !isRepeat)
          return refusal(422, 'round_closed');
        const answer = await behind.pass(request);
        if (isGood(answer) && body.gameround_complete) {
          closed.add(body.gameround_id);
          closed.add(`${body.gameround_id} ${body.transaction_id}`);
        }
        return answer;
      };
    },
    fails: ['w3.late-credit'],
  },
  {
    name: 'pays the jackpot amount on top',
    mutation: answers(async ({ call, body }, answer, behind) => {
      const isWin = call === 'W3' && isGood(answer) && body.jackpot_amount === 1 && body.currency === 'EUR';
      if (isWin) await behind.deposit(body.player_id, body.jackpot_amount);
      return answer;
    }),
    fails: ['w3.jackpot-amount'],
  },
  {
    name: 'answers a batch with the totals of the request',
    mutation: answers(({ call, body }, answer) =>
      call === 'W4' && isGood(answer)
        ? withBody(answer, { total_amount: body.amount, total_jackpot_amount: body.jackpot_amount })
        : answer,
    ),
    fails: [
      'w4.one-bad-record',
      'w4.thousand-records',
      'w4.record-conflict',
      'w4.cancelled-record',
      'w4.debit-errors',
    ],
  },
  {
    name: 'adds the totals of a batch as floating-point numbers of 32 bits',
    mutation: answers(({ call, body }, answer) => {
      if (call !== 'W4' || !isGood(answer)) return answer;
      const { errors } = JSON.parse(answer.text);
      const bad = new Set(errors.map((one: { player_id: string }) => one.player_id));
      const total = (name: 'amount' | 'jackpot_amount') =>
        body.transactions
          .filter((one: { player_id: string }) => !bad.has(one.player_id))
          .reduce((sum: number, one: Record<string, number>) => Math.fround(sum + (one[name] ?? 0)), 0);
      return withBody(answer, {
        total_amount: total('amount'),
        total_jackpot_amount: total('jackpot_amount'),
      });
    }),
    fails: ['w4.exact-totals'],
    // And whenever a sum is no float.
    failsMore: true,
  },
  {
    name: 'executes every repeat of a batch',
    mutation: () => {
      const seen = new Set<string>();
      return async (request, behind) => {
        const { call, id, body } = request;
        if (call !== 'W4' || !seen.has(id)) {
          if (call === 'W4') seen.add(id);
          return behind.pass(request);
        }
        const transactions = body.transactions.map((one: object) => ({
          ...one,
          transaction_id: behind.newId(),
        }));
        return behind.pass(request, { ...body, batch_transaction_id: behind.newId(), transactions });
      };
    },
    fails: ['w4.twice', 'w4.in-parallel', 'w4.conflict', 'w4.debit-errors', 'w5.tombstone-debits'],
  },
  {
    name: 'refuses a batch for one bad record',
    mutation: answers(({ call }, answer) =>
      call === 'W4' && isGood(answer) && JSON.parse(answer.text).errors.length > 0
        ? refusal(422, 'record_refused')
        : answer,
    ),
    fails: [
      'w4.one-bad-record',
      'w4.thousand-records',
      'w4.record-conflict',
      'w4.cancelled-record',
      'w4.debit-errors',
      'w5.refused-record',
    ],
  },
  {
    name: 'redirects cancellations',
    mutation: () => (request, behind) =>
      request.call === 'W2'
        ? Promise.resolve({ status: 307, text: '', headers: { location: request.path } })
        : behind.pass(request),
    fails: [
      'w2.debit',
      'w2.answer',
      'w2.without-details',
      'w2.twice',
      'w2.in-parallel',
      'w2.unknown',
      'w2.tombstone',
      'w2.tombstone-credit',
      'w2.refused',
      'w2.other-player',
      'w2.not-executed-again',
      'w2.race',
      'w2.credit',
      'w4.cancelled-record',
      'http.no-redirects',
    ],
  },
  {
    name: 'writes refusals of transactions as HTML',
    mutation: answers(({ call }, answer) =>
      call === 'W3' && isAuthentic(answer) && !isGood(answer)
        ? { ...answer, text: '<h1>No</h1>', headers: { 'content-type': 'text/html' } }
        : answer,
    ),
    fails: [
      'w3.insufficient-funds',
      'w3.player-unknown',
      'w3.currency-mismatch',
      'w3.negative-amount',
      'w3.type-unknown',
      'w3.field-missing',
      'w3.closed-round',
      'repeats.other-amount',
      'repeats.other-type',
      'repeats.other-player',
      'repeats.other-currency',
      'repeats.refused-debit',
      'w2.tombstone',
      'w2.tombstone-credit',
      'w2.refused',
      'w2.not-executed-again',
      'w5.tombstone-records',
      'http.error-shape',
      'http.invalid-json',
    ],
  },
  {
    name: 'says that its JSON is text',
    mutation: answers((_, answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } })),
    fails: ['http.json'],
  },
  {
    name: 'refuses fields that it does not know',
    mutation: () => (request, behind) =>
      request.body !== null && 'added_later' in request.body
        ? Promise.resolve(refusal(400, 'unknown_field'))
        : behind.pass(request),
    fails: ['w3.unknown-fields'],
  },
  {
    name: 'has a balance that is no number behind a transaction',
    mutation: answers(({ call }, answer) =>
      call === 'W3' && isGood(answer) ? withBody(answer, { balance: 'NaN' }) : answer,
    ),
    fails: ['w3.debit'],
    // Wherever money moves.
    failsMore: true,
  },
  {
    name: 'has no success behind the cancellation of a batch',
    mutation: answers(({ call }, answer) =>
      call === 'W5' && isGood(answer) ? withBody(answer, { success: 'yes' }) : answer,
    ),
    fails: [
      'w5.whole',
      'w5.part',
      'w5.without-round',
      'w5.twice',
      'w5.credits',
      'w5.tombstone-debits',
      'w5.refused-record',
    ],
  },
  {
    name: 'closes every connection',
    mutation: answers((_, answer) => ({ ...answer, headers: { connection: 'close' } })),
    fails: ['http.keep-alive'],
  },
  ...memoryMutations,
  ...batchMutations,
];

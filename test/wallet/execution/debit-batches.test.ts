import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DebitRecord } from '../../../src/messages/settlements.ts';
import type { WalletAnswer } from '../../../src/wallet/client/answer.ts';
import type { WalletCall } from '../../../src/wallet/client/brand-client.ts';
import type { LaneExecutor } from '../../../src/wallet/execution/lane-executor.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { ClockWorld, type SentCall } from './clock-world.ts';

const hourMs = 3_600_000;
const unanswered: WalletAnswer = { kind: 'unknown', reason: 'no_answer' };
const cancelled: WalletAnswer = { kind: 'accepted', body: { success: true } };
const refusal = (status: number): WalletAnswer => ({ kind: 'refused', status, code: 'no', message: 'No.' });

let clock: ClockWorld;
let executor: LaneExecutor;

beforeEach(async () => {
  const rules = { operator_contribution_percentage: '0' };
  clock = await ClockWorld.open(onePot({}, rules), { batchDebits: true });
  executor = clock.start();
});
afterEach(async () => {
  await stopped();
  expect(clock.bugs).toEqual([]);
});

async function stopped(): Promise<void> {
  let isStopped = false;
  executor.stop().then(() => {
    isStopped = true;
  });
  await clock.until(() => isStopped, 'the executor stops');
}

/** Contributions of these players, in one message. */
async function contributed(...players: readonly string[]): Promise<readonly DebitRecord[]> {
  const id = (index: number) => new Uint8Array(16).fill(index + 1);
  await clock.apply(
    ...players.map((player, index) =>
      contribution({ wallet: true, player, contributionId: id(index), vertical: 'slots' }),
    ),
  );
  return open();
}

const open = () => clock.replica.engine.openDebits(0, 200);
const over = (what = 'nothing is open') => clock.until(() => open().length === 0, what, hourMs);

/** What became of the contributions, in the order of the players. */
function results(): readonly string[] {
  return clock.settled
    .toSorted((a, b) => a.index - b.index)
    .map(({ result }) => (result.kind === 'Refused' ? result.code : result.kind));
}

function paid(): bigint {
  return -(new Map(clock.replica.engine.accounts('jackpot')).get('player') ?? 0n);
}

interface Body {
  readonly transactions: readonly { readonly transaction_id: string; readonly player_id: string }[];
}

/** The answer of a wallet that debits all but these players a unit each. */
function debitedAllBut(call: WalletCall, ...failed: readonly string[]): WalletAnswer {
  const { transactions } = JSON.parse(Buffer.from(call.body).toString()) as Body;
  const total_amount = transactions.filter(({ player_id }) => !failed.includes(player_id)).length;
  const errors = failed.map((player_id) => ({ player_id, code: 'insufficient_funds', msg: 'No.' }));
  return { kind: 'accepted', body: { total_amount, total_jackpot_amount: 0, errors, metadata: null } };
}

const listOf = ({ text }: SentCall) =>
  (JSON.parse(text) as { readonly transaction_id_list: readonly string[] }).transaction_id_list;
const names = () => clock.calls.map(({ name }) => name);

describe('debits of one message', () => {
  it('go by one W4, field by field, and each contribution is applied', async () => {
    clock.answer = (call) => debitedAllBut(call);
    const [first, second] = await contributed('ada', 'zoë');
    await over();
    expect(names()).toEqual(['W4']);
    expect(clock.calls[0]?.path).toBe('/batches');
    const record = { currency: 'EUR', amount: 1, jackpot_amount: 0 };
    expect(JSON.parse(clock.calls[0]!.text)).toEqual({
      batch_transaction_id: first!.batch!.id,
      transaction_type: 'Debit',
      provider_id: 'acme',
      amount: 2,
      jackpot_amount: 0,
      source_id: 'slot-1',
      source_variant: null,
      gameround_id: null,
      gameround_complete: null,
      transactions: [
        { transaction_id: first!.transactionId, player_id: 'ada', ...record },
        { transaction_id: second!.transactionId, player_id: 'zoë', ...record },
      ],
      metadata: { kind: 'debit', category: 'slots' },
    });
    expect(results()).toEqual(['Contributed', 'Contributed']);
    expect(paid()).toBe(200_000_000n);
    await clock.until(() => executor.debits.size === 0, 'it holds nothing');
  });

  it('refuse the contributions of those players alone whom the wallet names', async () => {
    clock.answer = (call) => debitedAllBut(call, 'b');
    await contributed('a', 'b', 'c');
    await over();
    expect(names()).toEqual(['W4']);
    expect(results()).toEqual(['Contributed', 'debit_refused', 'Contributed']);
    expect(paid()).toBe(200_000_000n);
  });

  it('are all refused where the wallet refuses the batch', async () => {
    clock.answer = () => refusal(422);
    await contributed('a', 'b');
    await over();
    expect(names()).toEqual(['W4']);
    expect(results()).toEqual(['debit_refused', 'debit_refused']);
  });

  it('of one player go one by one', async () => {
    clock.answer = () => ({ kind: 'accepted', body: { balance: 1 } });
    await contributed('a', 'a');
    await over();
    expect(names()).toEqual(['W3', 'W3']);
    expect(paid()).toBe(200_000_000n);
  });

  it('are sent again, the same bytes, while the answer is unknown', async () => {
    clock.answer = (call) => (clock.calls.length < 3 ? unanswered : debitedAllBut(call));
    await contributed('a', 'b');
    await over();
    expect(names()).toEqual(['W4', 'W4', 'W4']);
    expect(new Set(clock.calls.map(({ text }) => text)).size).toBe(1);
    expect(results()).toEqual(['Contributed', 'Contributed']);
  });

  it.each<[string, unknown]>([
    ['names a player of another batch', { total_amount: 1, total_jackpot_amount: 0, errors: [named('x')] }],
    ['has other totals', { total_amount: 1, total_jackpot_amount: 0, errors: [] }],
    ['has a jackpot total', { total_amount: 2, total_jackpot_amount: 2, errors: [] }],
  ])('count an answer that %s as none', async (_, body) => {
    clock.answer = ({ name, isAnswer }) => {
      if (name === 'W5') return cancelled;
      return isAnswer?.(body) === false ? unanswered : { kind: 'accepted', body };
    };
    await contributed('a', 'b');
    await over();
    expect(results()).toEqual(['wallet_unavailable', 'wallet_unavailable']);
  });
});

function named(player_id: string) {
  return { player_id, code: 'closed', msg: 'No.' };
}

describe('a batch that stays unknown', () => {
  it('is cancelled by W5 behind its deadline, again until that is known, and W4 never follows W5', async () => {
    clock.answer = ({ name }) => (name === 'W5' && clock.of('W5').length > 4 ? cancelled : unanswered);
    const debits = await contributed('a', 'b', 'c');
    await over();
    const [first] = debits;
    const last = clock.of('W4').at(-1)!;
    expect(last.atMs + last.timeoutMs!).toBeLessThanOrEqual(first!.deadlineMs - 300);
    const calls = clock.of('W5');
    expect(calls).toHaveLength(5);
    expect(calls[0]!.atMs).toBeGreaterThan(first!.deadlineMs);
    expect(names().slice(names().indexOf('W5'))).toEqual(calls.map(() => 'W5'));
    for (const call of calls) {
      expect(call.path).toBe(`/batches/${first!.batch!.id}/cancel`);
      expect(JSON.parse(call.text)).toEqual({
        gameround_id: null,
        transaction_id_list: debits.map(({ transactionId }) => transactionId),
      });
    }
    expect(clock.alarms).toContain('wallet_cancel_unanswered');
    expect(results()).toEqual(['wallet_unavailable', 'wallet_unavailable', 'wallet_unavailable']);
    expect(paid()).toBe(0n);
  });

  it.each<[string, WalletAnswer]>([
    ['does not know it', refusal(404)],
    ['has cancelled it', refusal(409)],
    ['does not cancel all of it', refusal(422)],
    ['says that it did not', { kind: 'accepted', body: { success: false } }],
  ])('is cancelled debit by debit where the wallet %s', async (_, together) => {
    clock.answer = (call) => {
      if (call.name === 'W4') return unanswered;
      const text = Buffer.from(call.body).toString();
      return listOf({ text } as SentCall).length > 1 ? together : refusal(404);
    };
    const debits = await contributed('a', 'b');
    await over();
    expect(clock.of('W5').map(listOf)).toEqual([
      debits.map(({ transactionId }) => transactionId),
      ...debits.map(({ transactionId }) => [transactionId]),
    ]);
    expect(results()).toEqual(['wallet_unavailable', 'wallet_unavailable']);
  });

  it('is cancelled before it is refused', async () => {
    clock.answer = ({ name }) =>
      name === 'W5' ? cancelled : clock.of('W4').length === 1 ? unanswered : refusal(422);
    await contributed('a', 'b');
    await over();
    expect(names()).toEqual(['W4', 'W4', 'W5']);
    expect(results()).toEqual(['debit_refused', 'debit_refused']);
  });

  it('is cancelled for those alone whom a later answer names', async () => {
    clock.answer = (call) => {
      if (call.name === 'W5') return cancelled;
      return clock.of('W4').length === 1 ? unanswered : debitedAllBut(call, 'b');
    };
    const [, second] = await contributed('a', 'b', 'c');
    await clock.until(() => clock.settled.length === 2, 'the others are applied');
    expect(names()).toEqual(['W4', 'W4']);
    await over();
    expect(clock.of('W5').map(listOf)).toEqual([[second!.transactionId]]);
    expect(clock.of('W5')[0]!.atMs).toBeGreaterThan(second!.deadlineMs);
    expect(results()).toEqual(['Contributed', 'debit_refused', 'Contributed']);
    expect(paid()).toBe(200_000_000n);
  });
});

describe('a process that starts', () => {
  it('sends the batch of its predecessor again, the same bytes', async () => {
    clock.answer = () => 'silent';
    await contributed('a', 'b');
    await clock.until(() => clock.calls.length === 1, 'the first W4');
    await stopped();
    clock.answer = (call) => debitedAllBut(call);
    executor = clock.start();
    await over();
    expect(names()).toEqual(['W4', 'W4']);
    expect(new Set(clock.calls.map(({ text }) => text)).size).toBe(1);
    expect(results()).toEqual(['Contributed', 'Contributed']);
  });

  it('only cancels what is left of a batch that was settled in part', async () => {
    await stopped();
    const [first, second] = await contributed('a', 'b');
    const report = { kind: 'DebitSettled', transactionId: first!.transactionId, result: 'debited' } as const;
    await clock.apply(report);
    clock.answer = () => cancelled;
    executor = clock.start();
    await over();
    expect(names()).toEqual(['W5']);
    expect(listOf(clock.calls[0]!)).toEqual([second!.transactionId]);
    expect(clock.calls[0]!.atMs).toBeGreaterThan(second!.deadlineMs);
    expect(results()).toEqual(['Contributed', 'wallet_unavailable']);
    expect(paid()).toBe(100_000_000n);
  });

  it('never tries a batch that it meets behind its deadline', async () => {
    await stopped();
    await contributed('a', 'b');
    await clock.world.passes(4_000);
    clock.answer = () => cancelled;
    executor = clock.start();
    await over();
    expect(names()).toEqual(['W5']);
    expect(results()).toEqual(['wallet_unavailable', 'wallet_unavailable']);
  });
});

import { afterEach, expect, it } from 'vitest';
import type { WalletAnswer } from '../../../src/wallet/client/answer.ts';
import type { WalletCall } from '../../../src/wallet/client/brand-client.ts';
import type { LaneExecutor } from '../../../src/wallet/execution/lane-executor.ts';
import { executionLimits } from '../../../src/wallet/execution/limits.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';
import { ClockWorld } from './clock-world.ts';

const hourMs = 3_600_000;
const downMs = 600_000;
const unanswered: WalletAnswer = { kind: 'unknown', reason: 'no_answer' };
const members = ['p1', 'p2', 'p3'];
const operatorPays = { operator_contribution_percentage: '1' };
const shared = onePot(
  {
    payout_ruleset: {
      main_winner_percentage: '0.5',
      payout_rules: [
        { payout_percentage: '0.5', rule: { HighestContributors: { max_number_of_payouts: 3 } } },
      ],
    },
  },
  operatorPays,
);

let clock: ClockWorld;
let executor: LaneExecutor;
afterEach(async () => {
  await stop();
  expect(clock.bugs).toEqual([]);
});

async function stop(): Promise<void> {
  let isStopped = false;
  executor.stop().then(() => {
    isStopped = true;
  });
  await clock.until(() => isStopped, 'the executor stops');
}

const openCredits = () => clock.replica.engine.openCredits(0, 1_000, [], '');

it('asks the lane about unknown credits for calls that are sent, and not while the breaker is open', async () => {
  clock = await ClockWorld.open(onePot({ pot_types: [sureHit] }, operatorPays));
  executor = clock.start();
  clock.answer = () => unanswered;
  const count = 300;
  await clock.apply(
    ...Array.from({ length: count }, (_, index) =>
      contribution({
        wallet: true,
        contributionId: new Uint8Array(16).fill(index % 251).fill(index >> 8, 0, 1),
      }),
    ),
  );
  await clock.until(() => openCredits().every(({ state }) => state === 'unknown'), 'all are unknown');
  expect(openCredits()).toHaveLength(count);
  clock.isBreakerOpen = true;
  await clock.world.passes(10_000);
  clock.creditQuestions = 0;
  await clock.world.passes(downMs);
  // Pages of the sweeps: the credits fit one, and an empty one ends each sweep.
  expect(clock.creditQuestions).toBeLessThanOrEqual((2 * downMs) / executionLimits.sweepEveryMs);
  clock.isBreakerOpen = false;
  clock.answer = () => ({ kind: 'accepted', body: { balance: '1', metadata: null } });
  await clock.until(() => openCredits().length === 0, 'all are paid', hourMs);
});

/** A win that all members share. */
async function sharedWin(): Promise<void> {
  for (const player of members)
    await clock.apply(
      contribution({ wallet: true, player, contributionId: new Uint8Array(16).fill(Number(player[1])) }),
    );
  await clock.apply({
    ...{ kind: 'TriggerPot', instance: 'jackpot', pot: 'main', brand: 'op:main', player: 'p1' },
    ...{ source: '', user: 'ada', idempotencyKey: null },
  });
}

/** Shares of one win whose batch is unknown, and a record of it that a person tries again while nobody executes. */
async function retriedRecord(): Promise<string> {
  clock = await ClockWorld.open(shared);
  executor = clock.start();
  clock.answer = () => unanswered;
  await sharedWin();
  const ofBatch = () => openCredits().filter(({ batchId }) => batchId !== '');
  await clock.until(() => ofBatch().every(({ state }) => state === 'unknown'), 'the batch is unknown');
  expect(ofBatch()).toHaveLength(members.length);
  await stop();
  const { transactionId } = ofBatch()[0]!;
  await clock.apply({ kind: 'RetryCredit', transactionId, reason: 'the wallet is back', user: 'ada' });
  return transactionId;
}

it('sends a record of an unknown batch that a person tries again with its batch, also after a restart', async () => {
  const transactionId = await retriedRecord();
  const batch = clock.of('W4')[0]!.text;
  clock.calls.length = 0;
  clock.answer = ({ name }) =>
    name === 'W4'
      ? {
          kind: 'accepted',
          body: { total_amount: 1.5, total_jackpot_amount: 1.5, errors: [], metadata: null },
        }
      : { kind: 'accepted', body: { balance: '1', metadata: null } };
  executor = clock.start();
  await clock.until(() => openCredits().length === 0, 'all are paid', hourMs);
  expect(clock.of('W4').map(({ text }) => text)).toEqual([batch]);
  expect(clock.of('W3').filter(({ text }) => text.includes(transactionId))).toEqual([]);
});

it('tries a record alone that a person tries again where its batch was refused whole, also after a restart', async () => {
  clock = await ClockWorld.open(shared);
  executor = clock.start();
  clock.answer = () => ({ kind: 'refused', status: 422, code: 'no', message: 'No.' });
  await sharedWin();
  const dead = () => openCredits().filter(({ batchId, state }) => batchId !== '' && state === 'dead');
  await clock.until(() => dead().length === members.length, 'a person has them');
  await stop();
  const [first, second] = dead().map(({ transactionId }) => transactionId);
  for (const transactionId of [first!, second!])
    await clock.apply({ kind: 'RetryCredit', transactionId, reason: 'looked at', user: 'ada' });
  clock.calls.length = 0;
  clock.answer = () => ({ kind: 'accepted', body: { balance: '1', metadata: null } });
  executor = clock.start();
  const isOpen = (id?: string) => openCredits().some(({ transactionId }) => transactionId === id);
  await clock.until(() => !isOpen(first) && !isOpen(second), 'both are paid', hourMs);
  expect(clock.of('W4')).toEqual([]);
  expect(clock.of('W3')).toHaveLength(2);
  expect(dead()).toHaveLength(1);
});

it('tries a record alone that its batch has failed with after an unknown result, also after a restart', async () => {
  clock = await ClockWorld.open(shared);
  executor = clock.start();
  let batches = 0;
  clock.answer = (call) => {
    if (call.name !== 'W4') return unanswered;
    batches += 1;
    return batches === 1 ? unanswered : answerWithout('p2', call);
  };
  await sharedWin();
  const ofBatch = () => openCredits().filter(({ batchId }) => batchId !== '');
  await clock.until(() => batches === 2 && ofBatch().length === 1, 'the others are paid');
  expect(ofBatch()).toMatchObject([{ player: 'p2', state: 'unknown', reason: 'closed: No.' }]);
  const { transactionId } = ofBatch()[0]!;
  await stop();
  clock.calls.length = 0;
  clock.answer = () => ({ kind: 'accepted', body: { balance: '1', metadata: null } });
  executor = clock.start();
  await clock.until(() => openCredits().length === 0, 'it is paid', hourMs);
  expect(clock.of('W4')).toEqual([]);
  expect(clock.of('W3').filter(({ text }) => text.includes(transactionId))).toHaveLength(1);
});

/** W4's answer in which one player's record failed, and all others did not. */
function answerWithout(player: string, { body }: WalletCall): WalletAnswer {
  const { transactions } = JSON.parse(Buffer.from(body).toString('utf8')) as {
    transactions: readonly { player_id: string; amount: number }[];
  };
  const total = transactions.reduce(
    (sum, { player_id, amount }) => (player_id === player ? sum : sum + Number(amount)),
    0,
  );
  const errors = [{ player_id: player, code: 'closed', msg: 'No.' }];
  return { kind: 'accepted', body: { total_amount: total, total_jackpot_amount: total, errors } };
}

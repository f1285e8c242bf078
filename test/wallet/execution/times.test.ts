import { afterEach, describe, expect, it } from 'vitest';
import type { CreditState } from '../../../src/messages/settlements.ts';
import type { WalletAnswer } from '../../../src/wallet/client/answer.ts';
import type { LaneExecutor } from '../../../src/wallet/execution/lane-executor.ts';
import { executionLimits } from '../../../src/wallet/execution/limits.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';
import { ClockWorld, type SentCall } from './clock-world.ts';

const hourMs = 3_600_000;
const accepted: WalletAnswer = { kind: 'accepted', body: { balance: '1', metadata: null } };
const unanswered: WalletAnswer = { kind: 'unknown', reason: 'no_answer' };

let clock: ClockWorld;
let executor: LaneExecutor;

/** docs/rules/wallets.md "Debits" and "Credits", to the millisecond. */
async function open(payer: 'player' | 'operator', triggers: readonly unknown[] = []): Promise<void> {
  const rules = { operator_contribution_percentage: payer === 'player' ? '0' : '1' };
  clock = await ClockWorld.open(onePot(triggers.length === 0 ? {} : { pot_types: triggers }, rules));
  executor = clock.start();
}

afterEach(async () => {
  const stopped = executor.stop();
  let isStopped = false;
  stopped.then(() => {
    isStopped = true;
  });
  await clock.until(() => isStopped, 'the executor stops');
  expect(clock.bugs).toEqual([]);
});

/** Pauses between the end of a try and the next one. */
function pausesOf(calls: readonly SentCall[], tryMs: number): readonly number[] {
  return calls.slice(1).map(({ atMs }, index) => atMs - calls[index]!.atMs - tryMs);
}

function creditState(): CreditState | undefined {
  return clock.replica.engine.openCredits(0, 1, [], '')[0]?.state;
}

describe('a credit whose result stays unknown', () => {
  it('is repeated after 0.5 s doubling to 5 s, then to 5 min, and is a person’s after 24 h', async () => {
    await open('operator', [sureHit]);
    clock.answer = () => unanswered;
    await clock.apply(contribution({ wallet: true }));
    await clock.until(() => creditState() === 'dead', 'a person has it', 25 * hourMs);
    const credits = clock.of('W3');
    const sinceMs = credits.map(({ atMs }) => atMs - credits[0]!.atMs);
    const pauses = pausesOf(credits, 20);
    // The question whether it is still open takes a moment.
    const nearest = (pauseMs: number): number => Math.round(pauseMs / 500) * 500;
    const early = pauses.filter((_, index) => sinceMs[index]! < 59_000).map(nearest);
    expect(early.slice(0, 5)).toEqual([500, 1_000, 2_000, 4_000, 5_000]);
    expect(Math.max(...early)).toBe(5_000);
    expect(Math.max(...pauses.map(nearest))).toBe(300_000);
    expect(nearest(pauses.at(-1)!)).toBe(300_000);
    const lastMs = sinceMs.at(-1)!;
    expect(lastMs).toBeGreaterThanOrEqual(24 * hourMs);
    expect(lastMs).toBeLessThan(24 * hourMs + 310_000);
    expect(new Set(credits.map(({ text }) => text)).size).toBe(1);
    expect(clock.alarms.filter((code) => code === 'wallet_credit_exhausted')).toHaveLength(1);
    await clock.world.passes(hourMs);
    expect(clock.of('W3')).toHaveLength(credits.length);
  });

  it('counts its day from the first unknown result, whoever repeats it', async () => {
    await open('operator', [sureHit]);
    clock.answer = () => unanswered;
    await clock.apply(contribution({ wallet: true }));
    await clock.until(() => creditState() === 'unknown', 'it is unknown');
    await clock.world.passes(20 * hourMs);
    await stopped(executor);
    await clock.world.passes(5 * hourMs);
    const before = clock.of('W3').length;
    executor = clock.start();
    await clock.until(() => creditState() === 'dead', 'a person has it');
    // Asked once more, because nobody did for hours.
    expect(clock.of('W3')).toHaveLength(before + 1);
  });

  it('has a new day where a person tries it again', async () => {
    await open('operator', [sureHit]);
    clock.answer = () => unanswered;
    await clock.apply(contribution({ wallet: true }));
    await clock.until(() => creditState() === 'dead', 'a person has it', 25 * hourMs);
    const { transactionId } = clock.replica.engine.openCredits(0, 1, [], '')[0]!;
    await clock.apply({ kind: 'RetryCredit', transactionId, reason: 'the wallet is back', user: 'ada' });
    await clock.world.passes(hourMs);
    expect(creditState()).toBe('unknown');
    clock.answer = () => accepted;
    await clock.until(() => creditState() === undefined, 'it is settled', hourMs);
  });
});

describe('a debit whose wallet says nothing', () => {
  it('is tried for 2 s at a time until 300 ms before its deadline, and cancelled behind it', async () => {
    await open('player');
    await clock.apply(contribution({ wallet: true }));
    const [debit] = clock.replica.engine.openDebits(0, 1);
    await clock.until(() => clock.of('W2').length > 8, 'it is cancelled many times', hourMs);
    const debits = clock.of('W3');
    expect(debits.length).toBeGreaterThan(1);
    for (const { atMs, timeoutMs } of debits) {
      expect(timeoutMs).toBeLessThanOrEqual(2_000);
      expect(atMs + timeoutMs!).toBeLessThanOrEqual(debit!.deadlineMs - 300);
    }
    const cancels = clock.of('W2');
    expect(cancels[0]!.atMs).toBeGreaterThan(debit!.deadlineMs);
    expect(pausesOf(cancels, 2_000).slice(0, 6)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(clock.alarms).toContain('wallet_cancel_unanswered');
    await clock.world.passes(30 * hourMs);
    expect(pausesOf(clock.of('W2'), 2_000).at(-1)).toBe(300_000);
    clock.answer = () => accepted;
    await clock.until(() => clock.replica.engine.openDebits(0, 1).length === 0, 'it is over', hourMs);
    expect(clock.of('W3')).toHaveLength(debits.length);
  });

  it('is never tried by a process that meets it behind its deadline', async () => {
    await open('player');
    await stopped(executor);
    await clock.apply(contribution({ wallet: true }));
    await clock.world.passes(4_000);
    clock.answer = () => accepted;
    executor = clock.start();
    await clock.until(() => clock.replica.engine.openDebits(0, 1).length === 0, 'it is over');
    expect(clock.calls.map(({ name }) => name)).toEqual(['W2']);
  });
});

describe('a process whose clock was set back', () => {
  it('does not try a debit that its predecessor has cancelled at the wallet', async () => {
    await open('player');
    clock.answer = () => unanswered;
    await clock.apply(contribution({ wallet: true }));
    await clock.until(() => clock.of('W2').length > 0, 'it is cancelled', hourMs);
    await stopped(executor);
    const tries = clock.of('W3').length;
    executor = clock.start(60_000);
    clock.answer = () => accepted;
    await clock.until(() => clock.replica.engine.openDebits(0, 1).length === 0, 'it is over', hourMs);
    expect(clock.of('W3')).toHaveLength(tries);
  });
});

describe('a lane full of open work', () => {
  it('is finished by a process that starts, in as many turns as it takes', async () => {
    await open('player', [sureHit]);
    await stopped(executor);
    const perMessage = 128;
    // More than a process holds of one brand.
    const total = executionLimits.heldInLane / 2 + 1_024;
    for (let sent = 0; sent < total; sent += perMessage) {
      await clock.apply(
        ...Array.from({ length: perMessage }, (_, index) =>
          contribution({ wallet: true, contributionId: idOf(sent + index) }),
        ),
      );
    }
    const { engine } = clock.replica;
    const open_ = engine.openDebits(0, total + 1);
    expect(open_).toHaveLength(total);
    // Half of them were debited by a process that died.
    const debited = open_.filter((_, index) => index % 2 === 0);
    for (let at = 0; at < debited.length; at += perMessage) {
      const reports = debited.slice(at, at + perMessage);
      await clock.apply(
        ...reports.map(
          ({ transactionId }) => ({ kind: 'DebitSettled', transactionId, result: 'debited' }) as const,
        ),
      );
    }
    await clock.world.passes(4_000);
    clock.answer = () => accepted;
    executor = clock.start();
    const isDone = (): boolean =>
      engine.openDebits(0, 1).length + engine.openCredits(0, 1, [], '').length === 0;
    await clock.until(isDone, 'nothing is open', hourMs);
    const credited = clock.of('W3').filter(({ text }) => text.includes('"Credit"'));
    expect(new Set(credited.map(({ text }) => text)).size).toBe(total / 2);
    expect(clock.of('W2').length).toBe(total / 2);
    // Its last reports are acknowledged a moment later.
    await clock.until(() => executor.debits.size + executor.credits.size === 0, 'it holds nothing');
  });
});

async function stopped(running: LaneExecutor): Promise<void> {
  let isStopped = false;
  running.stop().then(() => {
    isStopped = true;
  });
  await clock.until(() => isStopped, 'the executor stops');
}

function idOf(number: number): Uint8Array {
  const id = new Uint8Array(16);
  new DataView(id.buffer).setUint32(0, number);
  return id;
}

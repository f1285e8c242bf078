import { describe, expect, it } from 'vitest';
import type { FlushRecord } from '../../../../src/messages/settlements.ts';
import { atoms, contribution, createInstance, openEpoch, setStatus } from '../../support/commands.ts';
import type { TestLane } from '../../support/lane.ts';
import { drive } from '../../support/raffle.ts';
import { onePot, sureHit } from '../../support/scenario.ts';
import { switchModel } from '../../support/switching.ts';
import { debitsOf, laneWith, paying, playerPays, settled } from '../settlement/paying.ts';

const half = onePot({ contribution: { Percentage: '0.5' } }, playerPays);

function laneToSwitch(source = onePot({}, playerPays), target = source): TestLane {
  const lane = laneWith(source);
  lane.apply(createInstance(target, { instance: 'next' }), openEpoch('next', 0, [0, 1, 2]));
  return lane;
}

/** All accounts of all instances. */
function everything(lane: TestLane, ...instances: readonly string[]): bigint {
  return instances.reduce((sum, each) => sum + lane.total(each), 0n);
}

describe('a debit that is open when its instance is switched', () => {
  it('is applied to the target, by its pots and shares, at the price that the player was asked', () => {
    const lane = laneToSwitch(
      onePot({}, playerPays),
      onePot(
        { contribution: { Percentage: '0.5' } },
        {
          ...playerPays,
          contribution_type: { Fixed: '7' },
        },
      ),
    );
    const idempotencyKey = new Uint8Array(16).fill(3);
    const request = paying({ idempotencyKey });
    const [debit] = debitsOf(lane.apply(request));
    const { sequence } = lane.apply(switchModel());
    expect(lane.engine.describe('next')?.status).toBe('Active');
    expect(lane.apply(request).outcomes).toEqual([{ kind: 'Duplicate', sequence: sequence - 1, index: 0 }]);
    lane.restart();
    const [outcome] = lane.apply(settled(debit!)).outcomes;
    expect(outcome).toMatchObject({
      kind: 'Settled',
      contributions: [
        {
          sequence: sequence - 1,
          result: { results: [{ instance: 'next', sequence: 1, contributionAtoms: atoms('1') }] },
        },
      ],
    });
    expect(lane.accounts('next')).toMatchObject({ player: -atoms('1'), 'main.current': atoms('0.5') });
    expect(lane.accounts()).toMatchObject({ player: 0n, 'main.current': 0n });
    expect(lane.apply(request).outcomes).toMatchObject([{ kind: 'Duplicate' }]);
    expect([lane.total(), lane.total('next')]).toEqual([0n, 0n]);
  });

  it('is refused as ever where the wallet has not made it', () => {
    const lane = laneToSwitch();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(switchModel());
    expect(lane.apply(settled(debit!, 'refused')).outcomes).toMatchObject([
      { contributions: [{ result: { code: 'debit_refused' } }] },
    ]);
    expect(lane.accounts('next').player).toBe(0n);
  });

  it('waits as paid for a paused target, and is applied by a tick once it is resumed', () => {
    const lane = laneToSwitch();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(setStatus('Paused'));
    lane.apply(switchModel());
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([{ kind: 'Done' }]);
    drive(lane);
    expect(lane.engine.openDebits(0, 10)).toMatchObject([{ debited: true, instance: 'jackpot' }]);
    lane.apply(setStatus('Active', 'next'));
    expect(lane.engine.deadlineOf('jackpot')).not.toBeNull();
    drive(lane);
    expect(lane.engine.openDebits(0, 10)).toEqual([]);
    expect(lane.accounts('next')['main.current']).toBe(atoms('1'));
  });

  it('follows a chain of switches, and the last instance completes only behind it', () => {
    const lane = laneToSwitch();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(
      createInstance(onePot({}, playerPays), { instance: 'third', timestampEndMs: lane.nowMs + 9000 }),
      openEpoch('third', 0, [0, 1, 2]),
      createInstance(onePot({}, playerPays), { instance: 'heir' }),
    );
    lane.apply(switchModel());
    lane.apply(switchModel({ instance: 'next', target: 'third' }));
    lane.nowMs += 9000;
    drive(lane);
    const complete = { ...setStatus('Completed', 'third'), to: 'heir' };
    expect(lane.engine.describe('third')?.status).toBe('Resolving');
    expect(lane.apply(complete).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([
      { contributions: [{ result: { results: [{ instance: 'third' }] } }] },
    ]);
    expect(lane.apply(complete).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(everything(lane, 'jackpot', 'next', 'third', 'heir')).toBe(0n);
    expect(lane.accounts('heir')['main.current']).toBe(atoms('1'));
  });

  it('wins where it is applied, and its credit belongs there', () => {
    const winning = onePot({ pot_types: [sureHit] }, playerPays);
    const lane = laneToSwitch(half, winning);
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(switchModel());
    const { outcomes, work } = lane.apply(settled(debit!));
    expect(outcomes).toMatchObject([
      { contributions: [{ result: { results: [{ instance: 'next', win: { pot: 'main' } }] } }] },
    ]);
    expect(work).toMatchObject([{ kind: 'CreditDue', credit: { instance: 'next', state: 'pending' } }]);
    expect([lane.total(), lane.total('next')]).toEqual([0n, 0n]);
  });
});

it('a credit that is open when its instance is switched stays with the source, and is settled there', () => {
  const lane = laneToSwitch(onePot({ pot_types: [sureHit] }, playerPays));
  const [debit] = debitsOf(lane.apply(paying()));
  const { work } = lane.apply(settled(debit!));
  const [due] = work.flatMap((each) => (each.kind === 'CreditDue' ? [each.credit] : []));
  lane.apply(switchModel());
  expect(lane.accounts()).toMatchObject({ win_liability: atoms('1') });
  expect(lane.accounts('next')).toMatchObject({ win_liability: 0n });
  lane.apply({ kind: 'CreditSettled', transactionIds: [due!.transactionId], result: 'accepted', reason: '' });
  expect(lane.accounts()).toMatchObject({ win_liability: 0n });
  expect(lane.total()).toBe(0n);
});

describe('a flush that is under way when its instance is switched', () => {
  const house_pot = {
    contribution_type: { Percentage: '0.5' },
    diversion_rules: {
      diversion_percentage: '0.5',
      flush_threshold: '0.8',
      target: { External: { endpoint: 'https://bank.example/in', account_id: 'a-1' } },
    },
  };
  const pooling = onePot({ contribution: { Percentage: '0.5' } }, {}, { house_pot });

  function flushing(): readonly [TestLane, FlushRecord] {
    const lane = laneToSwitch(pooling);
    const { work } = lane.apply(...Array.from({ length: 5 }, () => contribution()));
    const [flush] = work.flatMap((each) => (each.kind === 'FlushDue' ? [each.flush] : []));
    lane.apply(switchModel());
    expect(lane.accounts()).toMatchObject({ diversion: 0n, diversion_pending: atoms('1') });
    expect(lane.accounts('next')).toMatchObject({ diversion: atoms('0.25'), diversion_pending: 0n });
    return [lane, flush!];
  }

  it('stays with the source, and leaves it where it is confirmed', () => {
    const [lane, { flushId }] = flushing();
    lane.apply({ kind: 'FlushSettled', instance: 'jackpot', flushId, result: 'confirmed' });
    expect(lane.accounts()).toMatchObject({ diversion_pending: 0n, external: atoms('1') });
    expect(lane.total()).toBe(0n);
  });

  it('returns to the pool of the target where it failed, with a record there, and leaves anew', () => {
    const [lane, { flushId }] = flushing();
    const details: unknown[] = [];
    lane.recorder = { group: (group) => void details.push(...group.details) };
    const failed = { kind: 'FlushSettled', instance: 'jackpot', flushId, result: 'failed' } as const;
    lane.apply(contribution({ target: { type: 'instance', id: 'next' } }), failed, failed);
    expect(details).toEqual([
      {
        type: 'receipt',
        seq: 2,
        other: 'jackpot',
        accounts: { diversion: '100000000', transfer: '-100000000' },
        accumulated_seed_deficit: '0',
      },
    ]);
    expect(lane.accounts()).toMatchObject({ diversion: 0n, diversion_pending: 0n });
    expect([lane.total(), lane.total('next')]).toEqual([0n, 0n]);
    const { work } = lane.apply(contribution({ target: { type: 'instance', id: 'next' } }));
    expect(work).toMatchObject([{ kind: 'FlushDue', flush: { instance: 'next' } }]);
  });
});

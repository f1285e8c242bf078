import { describe, expect, it } from 'vitest';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { decodeOutcomeRecord, encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { contribution, running, setBrand } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings, startMs } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';

const callback = { webHook: 'https://hook.example', winResultOnly: false };
const quiet = { wallet: false, hooks: false, events: false };

function lane(configuration: Parameters<typeof running>[0], wallet: boolean) {
  const replica = new Replica(0, newLane(settings), testHashing, firstLaneHead);
  const apply = (...commands: readonly Command[]) => {
    const sequence = replica.appliedSequence + 1;
    const bytes = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: 'g', commands });
    const stored = { lane: 0, sequence, channel: 'control' as const, timestampMs: startMs + sequence, bytes };
    const { routing, record } = replica.apply(stored);
    return { routing, work: decodeOutcomeRecord(record).work };
  };
  apply(setBrand({ wallet }), ...(running(configuration).slice(1) as readonly Command[]));
  return apply;
}

describe('the subject of an outcome record says', () => {
  it('nothing of a contribution without a win', () => {
    expect(lane(onePot(), false)(contribution()).routing).toEqual(quiet);
  });

  it('wallet of a debit, and of a credit', () => {
    const rules = { operator_contribution_percentage: '0' };
    const apply = lane(onePot({ pot_types: [sureHit] }, rules), true);
    const { routing, work } = apply(contribution({ wallet: true, callback }));
    expect(routing).toEqual({ ...quiet, wallet: true });
    const transactionId = work[0]?.kind === 'DebitDue' ? work[0].debit.transactionId : '';
    const settled = apply({ kind: 'DebitSettled', transactionId, result: 'debited' });
    expect(settled.routing).toEqual({ wallet: true, hooks: true, events: true });
    expect(settled.work).toMatchObject([{ kind: 'CreditDue' }]);
  });

  it('events but not wallet of a win that is reported only', () => {
    const apply = lane(onePot({ pot_types: [sureHit] }), false);
    expect(apply(contribution()).routing).toEqual({ ...quiet, events: true });
  });

  it('hooks of a callback', () => {
    expect(lane(onePot(), false)(contribution({ callback })).routing).toEqual({ ...quiet, hooks: true });
  });

  it('hooks of a diversion flush', () => {
    const house_pot = {
      contribution_type: { Percentage: '0.5' },
      diversion_rules: {
        diversion_percentage: '1',
        flush_threshold: '0.5',
        target: { External: { endpoint: 'https://bank.example', account_id: 'a' } },
      },
    };
    const apply = lane(onePot({ contribution: { Percentage: '0.5' } }, {}, { house_pot }), false);
    const { routing, work } = apply(contribution());
    expect(routing).toEqual({ ...quiet, hooks: true });
    expect(work).toMatchObject([{ kind: 'FlushDue' }]);
  });
});

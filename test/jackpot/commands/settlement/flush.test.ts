import { describe, expect, it } from 'vitest';
import type { FlushSettled } from '../../../../src/messages/settlement-commands.ts';
import type { FlushRecord } from '../../../../src/messages/settlements.ts';
import { atoms, contribution, running } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { onePot } from '../../support/scenario.ts';

const house_pot = {
  contribution_type: { Percentage: '0.5' },
  diversion_rules: {
    diversion_percentage: '0.5',
    flush_threshold: '0.5',
    target: { External: { endpoint: 'https://bank.example/in', account_id: 'a-1' } },
  },
};

function laneWithPool(): TestLane {
  const lane = new TestLane();
  lane.apply(...running(onePot({ contribution: { Percentage: '0.5' } }, {}, { house_pot })));
  lane.apply(contribution());
  return lane;
}

function flushOf(lane: TestLane): FlushRecord {
  const { work } = lane.apply(contribution());
  const [flush] = work.flatMap((each) => (each.kind === 'FlushDue' ? [each.flush] : []));
  return flush!;
}

function settled({ flushId }: FlushRecord, result: FlushSettled['result']): FlushSettled {
  return { kind: 'FlushSettled', instance: 'jackpot', flushId, result };
}

describe('a diversion pool that has reached its threshold', () => {
  it('is set aside as a whole and told once', () => {
    const lane = laneWithPool();
    const flush = flushOf(lane);
    expect(flush).toMatchObject({
      instance: 'jackpot',
      endpoint: 'https://bank.example/in',
      accountId: 'a-1',
      amountAtoms: atoms('0.5'),
      currency: 'EUR',
    });
    expect(lane.accounts()).toMatchObject({ diversion: 0n, diversion_pending: atoms('0.5') });
    expect(lane.apply(contribution(), contribution(), contribution()).work).toEqual([]);
    expect(lane.accounts()).toMatchObject({ diversion: atoms('0.75'), diversion_pending: atoms('0.5') });
    expect(lane.engine.openFlushes(0, 10)).toEqual([flush]);
  });

  it('is outside once it is confirmed; the next one has another id', () => {
    const lane = laneWithPool();
    const flush = flushOf(lane);
    lane.restart();
    lane.apply(settled(flush, 'confirmed'), settled(flush, 'confirmed'), settled(flush, 'failed'));
    expect(lane.accounts()).toMatchObject({ external: atoms('0.5'), diversion_pending: 0n, diversion: 0n });
    lane.apply(contribution());
    const next = flushOf(lane);
    expect(next.flushId).not.toBe(flush.flushId);
    expect(lane.apply(settled(flush, 'confirmed')).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(lane.accounts()).toMatchObject({ external: atoms('0.5'), diversion_pending: atoms('0.5') });
    expect(lane.total()).toBe(0n);
  });

  it('is back in the pool where it failed for good, and leaves anew', () => {
    const lane = laneWithPool();
    const flush = flushOf(lane);
    lane.apply(settled(flush, 'failed'));
    expect(lane.accounts()).toMatchObject({ external: 0n, diversion_pending: 0n, diversion: atoms('0.5') });
    expect(flushOf(lane)).toMatchObject({ amountAtoms: atoms('0.75') });
  });
});

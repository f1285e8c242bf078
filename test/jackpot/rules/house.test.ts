import { describe, expect, it } from 'vitest';
import type { TriggerPot } from '../../../src/messages/instance-commands.ts';
import { atoms, contribution, running } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

const target = { External: { endpoint: 'https://other.example/pool', account_id: 'a-1' } };
const half = { contribution: { Percentage: '0.5' } };

function laneOf(diversion: object | null, pot: object = {}) {
  const lane = new TestLane();
  const house_pot = diversion === null ? {} : { diversion_rules: { target, ...diversion } };
  lane.apply(...running(onePot({ ...half, ...pot }, {}, { house_pot })));
  return lane;
}

describe('the house', () => {
  it('gets the configured rest', () => {
    const lane = laneOf(null);
    lane.apply(contribution());
    expect(lane.accounts().house).toBe(atoms('0.5'));
  });

  it('diverts its percentage of what comes in, rounded down', () => {
    const lane = laneOf({ diversion_percentage: '0.333333333' });
    lane.apply(contribution());
    expect(lane.accounts()).toMatchObject({ house: atoms('0.33333334'), diversion: atoms('0.16666666') });
    expect(lane.engine.describe('jackpot')?.house.diversionAtoms).toBe(atoms('0.16666666'));
  });

  it('holds the whole pool for delivery from the threshold on; one delivery waits at a time', () => {
    const lane = laneOf({ diversion_percentage: '0.5', flush_threshold: '0.7' });
    lane.apply(contribution(), contribution());
    expect(lane.accounts()).toMatchObject({ diversion: atoms('0.5'), diversion_pending: 0n });
    lane.apply(contribution());
    expect(lane.accounts()).toMatchObject({ diversion: 0n, diversion_pending: atoms('0.75') });
    lane.apply(...Array.from({ length: 4 }, () => contribution()));
    expect(lane.accounts()).toMatchObject({ diversion: atoms('1'), diversion_pending: atoms('0.75') });
    expect(lane.engine.describe('jackpot')?.house.diversionAtoms).toBe(atoms('1.75'));
  });

  it('never flushes without a threshold', () => {
    const lane = laneOf({ diversion_percentage: '1', flush_threshold: '' });
    lane.apply(...Array.from({ length: 9 }, () => contribution()));
    expect(lane.accounts()).toMatchObject({ diversion: atoms('4.5'), diversion_pending: 0n });
  });

  it('repays what the operator fronted from this contribution’s inflow, before it diverts', () => {
    const seed_strategy = { min_reseed_value: '0.55' };
    const lane = laneOf({ diversion_percentage: '0.5' }, { seed_strategy });
    lane.apply(contribution());
    expect(lane.accounts()).toMatchObject({ house: atoms('0.25'), diversion: atoms('0.25') });
    // The reseed takes all that the house has, and 0.3 of the operator's.
    lane.apply(trigger);
    const deficit = () => lane.engine.describe('jackpot')?.house.seedDeficitAtoms;
    expect(deficit()).toBe(atoms('0.3'));
    const before = lane.accounts().operator_capital!;
    lane.apply(contribution());
    expect(deficit()).toBe(0n);
    expect(lane.accounts()).toMatchObject({
      house: atoms('0.1'),
      diversion: atoms('0.35'),
      operator_capital: before - atoms('1') + atoms('0.3'),
    });
    expect(lane.total()).toBe(0n);
  });
});

const trigger: TriggerPot = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'main',
  brand: 'op:main',
  player: 'p1',
  source: 's',
  user: 'u',
  idempotencyKey: null,
};

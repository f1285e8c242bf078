import { describe, expect, it } from 'vitest';
import type { AdjustPot } from '../../../src/messages/instance-commands.ts';
import { atoms, running } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

interface Case {
  readonly strategy: string;
  readonly seed: string;
  readonly surplus: string;
  readonly house: string;
  readonly maximum?: string;
  readonly opens: string;
  readonly left: { readonly seed?: string; readonly surplus?: string; readonly house?: string };
  readonly deficit?: string;
}

/** min_reseed_value is 10. */
const cases: readonly Case[] = [
  { strategy: 'Full', seed: '25', surplus: '3', house: '4', opens: '25', left: { surplus: '3', house: '4' } },
  {
    strategy: 'Minimum',
    seed: '25',
    surplus: '3',
    house: '4',
    opens: '10',
    left: { seed: '15', surplus: '3', house: '4' },
  },
  {
    strategy: 'Collected',
    seed: '6',
    surplus: '3',
    house: '4',
    opens: '6',
    left: { surplus: '3', house: '4' },
  },
  { strategy: 'Full', seed: '6', surplus: '3', house: '4', opens: '10', left: { house: '3' } },
  { strategy: 'Minimum', seed: '6', surplus: '1', house: '1', opens: '10', left: {}, deficit: '2' },
  { strategy: 'Full', seed: '0', surplus: '0', house: '0', opens: '10', left: {}, deficit: '10' },
  {
    strategy: 'Full',
    seed: '25',
    surplus: '0',
    house: '0',
    maximum: '12',
    opens: '12',
    left: { seed: '13' },
  },
];

describe('a reseed', () => {
  it.each(cases)('$strategy with seed $seed, surplus $surplus, house $house opens with $opens', (each) => {
    const lane = new TestLane();
    const seed_strategy = { initial_seed_value: '5', min_reseed_value: '10', reseed_strategy: each.strategy };
    lane.apply(...running(onePot({ seed_strategy, maximum_pot_value: each.maximum ?? '' })));
    lane.apply(
      adjust('main', 'seed_value', each.seed),
      adjust('main', 'surplus_seed', each.surplus),
      adjust('house', 'current_value', each.house),
    );
    const trigger = {
      kind: 'TriggerPot',
      instance: 'jackpot',
      pot: 'main',
      brand: 'op:main',
      player: 'p1',
    } as const;
    const { outcomes, events } = lane.apply({ ...trigger, source: 's', user: 'u', idempotencyKey: null });
    expect(outcomes).toMatchObject([{ kind: 'Triggered', pot: 'main', winAmountAtoms: atoms('5') }]);
    expect(events).toMatchObject([
      { kind: 'Won', external: true, seedDeficitAtoms: atoms(each.deficit ?? '0') },
    ]);
    expect(lane.accounts()).toMatchObject({
      'main.current': atoms(each.opens),
      'main.seed': atoms(each.left.seed ?? '0'),
      'main.surplus': atoms(each.left.surplus ?? '0'),
      house: atoms(each.left.house ?? '0'),
    });
    expect(lane.engine.describe('jackpot')?.house.seedDeficitAtoms).toBe(atoms(each.deficit ?? '0'));
    expect(lane.total()).toBe(0n);
  });
});

function adjust(pot: string, account: AdjustPot['account'], target: string): AdjustPot {
  return {
    kind: 'AdjustPot',
    instance: 'jackpot',
    pot,
    account,
    targetAtoms: atoms(target),
    reason: 'test',
    user: 'admin',
    mayDecrease: true,
    idempotencyKey: null,
    expectedVersion: null,
  };
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdjustPot } from '../../../src/messages/instance-commands.ts';
import { atoms, contribution, running } from '../support/commands.ts';
import { blockedFlagBit, hitFlag, Records } from '../support/entries.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

const rules = { contribution_type: { Percentage: '1' } };
const pot_types = [{ Threshold: { min_value: '10', max_value: '20' } }];
const [min, max] = [atoms('10'), atoms('20')];

function laneOf(pot: Readonly<Record<string, unknown>> = {}, run = 0) {
  const lane = new TestLane();
  lane.apply(...running(onePot({ pot_types, ...pot }, rules), 'jackpot', run));
  return { lane, records: new Records(lane) };
}

function give(lane: TestLane, amount: string | bigint) {
  const baseWagerAtoms = typeof amount === 'string' ? atoms(amount) : amount;
  return lane.apply(contribution({ baseWagerAtoms }));
}

describe('a Threshold', () => {
  it('misses while the value has not passed the minimum', () => {
    const { lane, records } = laneOf();
    give(lane, '4');
    give(lane, '6');
    expect(records.entries).toMatchObject([
      { v0: 0n, v1: atoms('4'), num: 0n, den: atoms('10'), u: 0n, flags: 0 },
      { v0: atoms('4'), v1: atoms('10'), num: 0n, den: atoms('10'), u: 0n, flags: 0 },
    ]);
  });

  it('counts from the value after the last draw of the cycle, or from the minimum', () => {
    const { lane, records } = laneOf({}, 3);
    give(lane, '11');
    give(lane, '1.5');
    expect(records.entries).toMatchObject([
      { v0: 0n, v1: atoms('11'), num: atoms('1'), den: atoms('10'), flags: 0 },
      { v0: atoms('11'), v1: atoms('12.5'), num: atoms('1.5'), den: atoms('9') },
    ]);
  });

  it('counts from a value that an administrator set', () => {
    const { lane, records } = laneOf();
    lane.apply(adjusted('18', 'current_value'));
    give(lane, '0.5');
    lane.apply(adjusted('12', 'current_value'));
    give(lane, '0.01');
    expect(records.entries).toMatchObject([
      { v0: atoms('18'), v1: atoms('18.5'), num: atoms('0.5'), den: atoms('2'), flags: 0 },
      { v0: atoms('12'), v1: atoms('12.01'), num: atoms('0.01'), den: atoms('8'), flags: 0 },
    ]);
    lane.apply(adjusted('20', 'current_value'));
    expect(give(lane, '0.01').outcomes).toMatchObject([{ results: [{ win: { amountAtoms: max } }] }]);
  });

  it('is sure at the maximum, which nothing passes: the rest overflows', () => {
    const { lane, records } = laneOf();
    const { outcomes } = give(lane, '25');
    expect(outcomes).toMatchObject([{ results: [{ win: { amountAtoms: max } }] }]);
    expect(records.last).toMatchObject({
      v1: max,
      num: atoms('10'),
      den: atoms('10'),
      u: 0n,
      flags: hitFlag,
    });
    // The overflow opens the next cycle, where no more than the minimum may.
    expect(lane.accounts()).toMatchObject({ 'main.current': atoms('5'), 'main.overflow': 0n });
  });

  it('is reseeded up to its minimum; what does not fit stays', () => {
    const { lane } = laneOf({
      seed_contribution: { Percentage: '0.5' },
      seed_strategy: { min_reseed_value: '3', fund_strategy: 'CollectAll' },
    });
    give(lane, '100');
    expect(lane.accounts()).toMatchObject({
      'main.current': min,
      'main.seed': atoms('40'),
      'main.overflow': atoms('30'),
    });
  });

  it('that AllowedSeedDeficit blocks stays due', () => {
    const win_constraints = [{ AllowedSeedDeficit: '0' }];
    const { lane, records } = laneOf({ seed_strategy: { min_reseed_value: '10' }, win_constraints });
    give(lane, '19');
    give(lane, '3');
    give(lane, '1');
    expect(records.entries.map((entry) => [entry.v0, entry.v1, entry.den, entry.flags])).toEqual([
      [0n, atoms('19'), 0n, blockedFlagBit],
      [0n, max, 0n, blockedFlagBit],
      [0n, max, 0n, blockedFlagBit],
    ]);
    lane.apply(adjusted('10', 'surplus_seed'));
    const { outcomes } = give(lane, '0.01');
    expect(outcomes).toMatchObject([{ results: [{ win: { amountAtoms: max } }] }]);
    expect(records.last).toMatchObject({ num: atoms('10'), den: atoms('10'), flags: hitFlag });
    expect(lane.accounts()).toMatchObject({ 'main.current': min, 'main.overflow': atoms('3.01') });
  });

  it('is not raised above its maximum by hand either', () => {
    const { lane } = laneOf();
    const raised = (target: string) => lane.apply(adjusted(target, 'current_value')).outcomes;
    expect(raised('20.00000001')).toMatchObject([{ code: 'pot_limit_exceeded' }]);
    expect(raised('20')).toMatchObject([{ kind: 'Done' }]);
    expect(give(lane, '0.01').outcomes).toMatchObject([{ results: [{ win: { amountAtoms: max } }] }]);
  });

  it('never drops before its minimum nor passes its maximum, and its odds are those of the rule', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: atoms('80') }), { minLength: 30, maxLength: 80 });
    const [min, max] = [atoms('100'), atoms('200.12345678')];
    const wide = { pot_types: [{ Threshold: { min_value: '100', max_value: '200.12345678' } }] };
    fc.assert(
      fc.property(amounts, fc.nat(), (given, run) => {
        const { lane, records } = laneOf(wide, run);
        for (const amount of given) give(lane, amount);
        for (const { v0, v1, num, den, u, flags } of records.entries) {
          const from = most(v0, min);
          expect(num).toBe(v1 > from ? v1 - from : 0n);
          expect(den).toBe(max - from);
          expect(v1 <= max).toBe(true);
          expect(flags).toBe(num >= den || u < num ? hitFlag : 0);
        }
        for (const { value } of records.details) {
          expect(BigInt(value) > min && BigInt(value) <= max).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('drops at values that are spread evenly between its bounds', () => {
    const { lane, records } = laneOf();
    for (let i = 0; i < 120; i++) {
      lane.apply(...Array.from({ length: 500 }, () => contribution({ baseWagerAtoms: atoms('0.25') })));
    }
    const bins = new Array<number>(8).fill(0);
    // Every fifth contribution beyond the minimum ends a bin.
    for (const { value } of records.details) {
      const bin = Number((BigInt(value) - min - 1n) / atoms('1.25'));
      bins[bin] = bins[bin]! + 1;
    }
    const expected = records.details.length / 8;
    const chiSquare = bins.reduce((sum, each) => sum + (each - expected) ** 2 / expected, 0);
    expect(expected).toBeGreaterThan(50);
    // 99 % with seven degrees of freedom.
    expect(chiSquare).toBeLessThan(18.475);
  });
});

function adjusted(target: string, account: AdjustPot['account']): AdjustPot {
  return {
    kind: 'AdjustPot',
    instance: 'jackpot',
    pot: 'main',
    account,
    targetAtoms: atoms(target),
    reason: 'test',
    user: 'admin',
    mayDecrease: true,
    idempotencyKey: null,
    expectedVersion: null,
  };
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

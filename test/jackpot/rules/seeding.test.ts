import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atoms, contribution, running } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

const half = { seed_contribution: { Percentage: '0.5' } };

interface Case {
  readonly name: string;
  readonly pot: Readonly<Record<string, unknown>>;
  readonly seed: string;
  readonly current: string;
  readonly overflow?: string;
}

/** Ten contributions of 1 each. */
const cases: readonly Case[] = [
  {
    name: 'CollectAll always collects',
    pot: { ...half, seed_strategy: { min_reseed_value: '2', fund_strategy: 'CollectAll' } },
    seed: '5',
    current: '5',
  },
  {
    name: 'CollectToMinReseed collects up to the minimum',
    pot: { ...half, seed_strategy: { min_reseed_value: '2.2' } },
    seed: '2.2',
    current: '7.8',
  },
  {
    name: 'HouseFunded collects nothing',
    pot: { ...half, seed_strategy: { min_reseed_value: '2', fund_strategy: 'HouseFunded' } },
    seed: '0',
    current: '10',
  },
  {
    name: 'a pot that is not progressive collects everything',
    pot: { is_progressive: false, seed_strategy: { initial_seed_value: '3', fund_strategy: 'HouseFunded' } },
    seed: '10',
    current: '3',
  },
  {
    name: 'above the maximum it overflows',
    pot: { maximum_pot_value: '7.5' },
    seed: '0',
    current: '7.5',
    overflow: '2.5',
  },
  {
    name: 'the initial seed counts against the maximum',
    pot: { maximum_pot_value: '7.5', seed_strategy: { initial_seed_value: '7' } },
    seed: '0',
    current: '7.5',
    overflow: '9.5',
  },
];

describe('a pot', () => {
  it.each(cases)('$name', ({ pot, seed, current, overflow }) => {
    const lane = new TestLane();
    lane.apply(...running(onePot(pot)));
    lane.apply(...Array.from({ length: 10 }, () => contribution()));
    expect(lane.accounts()).toMatchObject({
      'main.seed': atoms(seed),
      'main.current': atoms(current),
      'main.overflow': atoms(overflow ?? '0'),
    });
  });

  it('divides what is left over between itself and its overflow, to the last unit', () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 10n }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 1n, max: 10n ** 11n }), (wagers, maximum) => {
        const lane = new TestLane();
        const rules = { contribution_type: { Percentage: '1' } };
        const limit = `${maximum / 10n ** 8n}.${String(maximum % 10n ** 8n).padStart(8, '0')}`;
        lane.apply(...running(onePot({ ...half, maximum_pot_value: limit }, rules)));
        for (const baseWagerAtoms of wagers) {
          const before = lane.accounts();
          lane.apply(contribution({ baseWagerAtoms }));
          const after = lane.accounts();
          const moved = (name: string) => after[name]! - before[name]!;
          const rest = baseWagerAtoms - moved('main.seed');
          expect(moved('main.current') + moved('main.overflow')).toBe(rest);
          expect(after['main.current']).toBeLessThanOrEqual(maximum);
        }
      }),
      { numRuns: 50 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { atoms, contribution, running } from '../support/commands.ts';
import { blockedFlagBit, hitFlag, Records } from '../support/entries.ts';
import { TestLane } from '../support/lane.ts';
import { onePot, sureHit } from '../support/scenario.ts';

interface Case {
  readonly constraint: object;
  readonly pot?: Readonly<Record<string, unknown>>;
  /** Contributions of 1, a second apart: blocked ones, then the one that wins. */
  readonly blocked: number;
}

const seed_strategy = { min_reseed_value: '3', fund_strategy: 'CollectAll' };
const cases: readonly Case[] = [
  { constraint: { MinContributions: 1 }, blocked: 0 },
  { constraint: { MinContributions: 4 }, blocked: 3 },
  { constraint: { MinPotValue: '2.5' }, blocked: 2 },
  { constraint: { MinPotValue: '3' }, blocked: 2 },
  { constraint: { MinInterval: 3 }, blocked: 3 },
  {
    constraint: { AllowedSeedDeficit: '0' },
    pot: { seed_contribution: { Percentage: '0.5' }, seed_strategy },
    blocked: 5,
  },
  {
    constraint: { AllowedSeedDeficit: '1.5' },
    pot: { seed_contribution: { Percentage: '0.5' }, seed_strategy },
    blocked: 2,
  },
];

describe('a win constraint', () => {
  it.each(cases)(
    '$constraint blocks $blocked sure hits, which are recorded',
    ({ constraint, pot, blocked }) => {
      const lane = new TestLane();
      lane.apply(...running(onePot({ pot_types: [sureHit], win_constraints: [constraint], ...pot })));
      const records = new Records(lane);
      const startedMs = lane.nowMs;
      for (let i = 0; i <= blocked; i++) {
        lane.nowMs = startedMs + 1000 * i - 1;
        lane.apply(contribution());
      }
      const flags = records.entries.map((entry) => entry.flags);
      expect(flags).toEqual([...new Array<number>(blocked).fill(blockedFlagBit), hitFlag]);
      expect(records.details).toHaveLength(1);
    },
  );

  it('counts from the beginning of the next cycle', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot({ pot_types: [sureHit], win_constraints: [{ MinContributions: 2 }] })));
    const records = new Records(lane);
    lane.apply(...Array.from({ length: 6 }, () => contribution()));
    expect(records.entries.map((entry) => entry.flags)).toEqual([4, 1, 4, 1, 4, 1]);
  });

  it('counts the deficit that is open already', () => {
    const lane = new TestLane();
    const pot = { pot_types: [sureHit], win_constraints: [{ AllowedSeedDeficit: '3' }], seed_strategy };
    lane.apply(...running(onePot({ ...pot, contribution: { Percentage: '0.5' } })));
    const records = new Records(lane);
    // The first win leaves a deficit of 2.5: half of each contribution repays it, and the next win waits for all of it.
    lane.apply(...Array.from({ length: 8 }, () => contribution()));
    expect(records.entries.map((entry) => entry.flags)).toEqual([1, 4, 4, 4, 4, 1, 4, 4]);
    expect(lane.engine.describe('jackpot')?.house.seedDeficitAtoms).toBe(atoms('2'));
  });
});

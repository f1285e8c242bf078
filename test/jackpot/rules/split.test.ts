import { describe, expect, it } from 'vitest';
import { atoms, contribution, running } from '../support/commands.ts';
import { Records } from '../support/entries.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

type Pot = Readonly<Record<string, unknown>>;

interface Case {
  readonly name: string;
  readonly pots: readonly Pot[];
  readonly rules?: Pot;
  readonly house?: Pot;
  /** Of a contribution of 0.01. */
  readonly value?: string;
  readonly gets: readonly string[];
  readonly keeps: string;
}

const tooMuch = { criteria: { min_contribution: '5' } };
const percent = (...shares: readonly string[]) =>
  shares.map((Percentage) => ({ contribution: { Percentage } }) as Pot);

const cases: readonly Case[] = [
  {
    name: 'percentages of the whole; what nobody takes is the house’s',
    pots: percent('0.25', '0.5'),
    gets: ['0.0025', '0.005'],
    keeps: '0.0025',
  },
  {
    name: 'the house takes its share first',
    pots: percent('0.25', '0.5'),
    house: { contribution_type: { Fixed: '0.005' } },
    gets: ['0.0025', '0.0025'],
    keeps: '0.005',
  },
  {
    name: 'a fixed share takes what is left at most',
    pots: [{ contribution: { Fixed: '0.004' } }, { contribution: { Fixed: '0.009' } }],
    gets: ['0.004', '0.006'],
    keeps: '0',
  },
  {
    name: 'dust goes to the largest share, the first of equals',
    pots: percent('0.333333333', '0.333333333', '0.333333333'),
    value: '0.00000010',
    gets: ['0.00000003', '0.00000003', '0.00000003'],
    keeps: '0.00000001',
  },
  {
    name: 'dust that the shares make together is theirs',
    pots: percent('0.25', '0.375', '0.375'),
    value: '0.00000010',
    gets: ['0.00000002', '0.00000005', '0.00000003'],
    keeps: '0',
  },
  {
    name: 'the share of a pot that does not qualify is split again, pro rata',
    pots: [...percent('0.2', '0.6'), { ...percent('0.2')[0], ...tooMuch }],
    gets: ['0.0025', '0.0075', '0'],
    keeps: '0',
  },
  {
    name: 'so is that of a disabled pot, also where all enabled ones are fed',
    pots: [...percent('0.2', '0.6'), { ...percent('0.2')[0], enabled: false }],
    rules: { qualified_contribution_only: false },
    gets: ['0.0025', '0.0075', '0'],
    keeps: '0',
  },
  {
    name: 'all enabled pots are fed where the rules say so',
    pots: [...percent('0.2', '0.6'), { ...percent('0.2')[0], ...tooMuch }],
    rules: { qualified_contribution_only: false },
    gets: ['0.002', '0.006', '0.002'],
    keeps: '0',
  },
  {
    name: 'what cannot be split again evenly goes to the largest amount',
    pots: [{ ...percent('0.4')[0], ...tooMuch }, ...percent('0.3', '0.3')],
    value: '0.00000011',
    gets: ['0', '0.00000006', '0.00000005'],
    keeps: '0',
  },
];

describe('the split of a contribution', () => {
  it.each(cases)('$name', ({ pots, rules, house, value, gets, keeps }) => {
    const lane = new TestLane();
    const named = pots.map((pot, index) => ({ id: `p${index}`, pot_types: [{ External: {} }], ...pot }));
    const type = { contribution_type: { Fixed: value ?? '0.01' }, ...rules };
    lane.apply(...running(onePot({}, type, { pots: named, house_pot: house ?? {} })));
    expect(lane.apply(contribution()).outcomes[0]).toMatchObject({ kind: 'Contributed' });
    const accounts = lane.accounts();
    expect(named.map(({ id }) => accounts[`${id}.current`])).toEqual(gets.map(atoms));
    expect(accounts.house).toBe(atoms(keeps));
    expect(lane.total()).toBe(0n);
  });

  it('draws only the pots that qualify; others say so in the record', () => {
    const lane = new TestLane();
    const pots = ['a', 'b'].map((id, index) => ({
      id,
      contribution: { Percentage: '0.5' },
      criteria: index === 1 ? { min_base_wager: '2' } : {},
      pot_types: [{ HitRate: { max_magic_number: 1_000_000, cost_per_attempt: '1000' } }],
    }));
    lane.apply(...running(onePot({}, { qualified_contribution_only: false }, { pots })));
    const records = new Records(lane);
    lane.apply(contribution());
    expect(records.entries).toMatchObject([
      { pot: 0, num: atoms('1'), flags: 0 },
      { pot: 1, v1: atoms('0.5'), num: 0n, den: 0n, u: 0n, flags: 8 },
    ]);
  });

  it('is refused before anything moves where no pot qualifies', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot(tooMuch)));
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'wager_below_minimum' }]);
    expect(lane.engine.liveValues('jackpot')?.sequence).toBe(0);
  });
});

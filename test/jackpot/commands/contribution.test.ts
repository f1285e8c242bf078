import { describe, expect, it } from 'vitest';
import { atoms, contribution, running } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { TestLane } from '../support/lane.ts';

describe('a contribution', () => {
  it('parts as in the worked example', () => {
    const lane = new TestLane();
    lane.apply(...running(threePots()));
    const outcome = lane.apply(contribution());
    expect(outcome.outcomes).toEqual([
      {
        kind: 'Contributed',
        results: [
          {
            instance: 'jackpot',
            sequence: 1,
            contributionAtoms: atoms('0.1'),
            requestAtoms: atoms('0.1'),
            bonusAtoms: 0n,
            win: null,
            tickets: 0,
          },
        ],
      },
    ]);
    expect(lane.accounts()).toMatchObject({
      house: atoms('0.03'),
      'first.seed': atoms('0.02125'),
      'first.current': atoms('0.00375'),
      'second.seed': atoms('0.02125'),
      'third.seed': atoms('0.017'),
      'third.current': atoms('0.003'),
      operator_capital: -atoms('0.1'),
      player: 0n,
    });
    expect(lane.total()).toBe(0n);
  });

  it('of zero moves no money and draws nothing, but counts', () => {
    const lane = new TestLane();
    const rules = { contribution_rules: { contribution_type: { Fixed: '0' } } };
    const sure = { pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.00000001' } }] };
    lane.apply(...running(threePots(rules, sure)));
    const outcome = lane.apply(contribution());
    expect(outcome.outcomes).toMatchObject([
      { kind: 'Contributed', results: [{ sequence: 1, contributionAtoms: 0n, win: null }] },
    ]);
    expect(new Set(Object.values(lane.accounts()))).toEqual(new Set([0n]));
    expect(lane.engine.describe('jackpot')).toMatchObject({
      totalContributions: 1,
      house: { totalContributions: 0 },
      pots: [{ totalContributions: 1 }, { totalContributions: 1 }, { totalContributions: 1 }],
    });
  });
});

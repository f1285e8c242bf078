import { describe, expect, it } from 'vitest';
import { atoms, contribution, running } from './support/commands.ts';
import { threePots } from './support/configurations.ts';
import { TestLane } from './support/lane.ts';

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
});

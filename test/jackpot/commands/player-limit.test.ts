import { describe, expect, it } from 'vitest';
import { brand, contribution, running } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { TestLane } from '../support/lane.ts';

describe('an operator with as many players as it may have', () => {
  const limited = () => {
    const lane = new TestLane({ maximumPlayersPerOperator: 2 });
    lane.apply(...running(threePots()));
    lane.apply(contribution({ player: 'ada' }), contribution({ player: 'bob' }));
    return lane;
  };

  it('gets no more of them, and those that it has go on', () => {
    const lane = limited();
    const before = lane.accounts();
    expect(lane.apply(contribution({ player: 'cyd' })).outcomes).toMatchObject([
      { kind: 'Refused', code: 'player_limit' },
    ]);
    expect(lane.accounts()).toEqual(before);
    expect(lane.apply(contribution({ player: 'ada' })).outcomes).toMatchObject([{ kind: 'Contributed' }]);
  });

  it('gets the one that is new in this message, twice', () => {
    const lane = new TestLane({ maximumPlayersPerOperator: 1 });
    lane.apply(...running(threePots()));
    const { outcomes } = lane.apply(
      contribution({ player: 'ada' }),
      contribution({ player: 'ada' }),
      contribution({ player: 'bob' }),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['Contributed', 'Contributed', 'Refused']);
  });

  it('has no room for an opt-in of another one either', () => {
    const lane = limited();
    const optIn = {
      kind: 'OptIn' as const,
      instance: 'jackpot',
      brand,
      player: 'cyd',
      country: '',
      currency: '',
      optIn: true,
      valueAtoms: null,
      linked: false,
      user: '',
    };
    expect(lane.apply(optIn).outcomes).toMatchObject([{ kind: 'Refused', code: 'player_limit' }]);
    expect(lane.apply({ ...optIn, player: 'ada' }).outcomes).toMatchObject([{ kind: 'OptedIn' }]);
  });

  it('is counted again after a restart', () => {
    const lane = limited();
    lane.restart();
    expect(lane.apply(contribution({ player: 'cyd' })).outcomes).toMatchObject([{ code: 'player_limit' }]);
  });
});

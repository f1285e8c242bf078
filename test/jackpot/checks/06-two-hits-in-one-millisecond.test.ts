import { describe, expect, it } from 'vitest';
import type { WonEvent } from '../../../src/jackpot/outcomes.ts';
import { atoms, contribution, running } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { TestLane } from '../support/lane.ts';

const sure = threePots({
  contribution_rules: { contribution_type: { Fixed: '1' } },
  win_selector_strategy: 'First',
  house_pot: { contribution_type: { Percentage: '0' } },
  pots: [
    {
      id: 'pot',
      contribution: { Percentage: '1' },
      seed_strategy: { initial_seed_value: '50', min_reseed_value: '7' },
      pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '1' } }],
    },
  ],
});
const once = contribution({ baseWagerAtoms: atoms('1') });

/** Proves: the order of the log decides, never the clock: the second hit gets the reseeded pot and its own number. */
describe('check 6: two hits in the same millisecond', () => {
  it('in one message', () => {
    const lane = new TestLane();
    lane.apply(...running(sure));
    expectTwoWins(lane.apply(once, once).events.filter((event) => event.kind === 'Won'));
  });

  it('in two messages of the same timestamp', () => {
    const lane = new TestLane();
    lane.apply(...running(sure));
    const first = lane.apply(once);
    lane.nowMs -= 1;
    const second = lane.apply(once);
    expect(second.timestampMs).toBe(first.timestampMs);
    expectTwoWins([...first.events, ...second.events].filter((event) => event.kind === 'Won'));
  });
});

function expectTwoWins(wins: readonly WonEvent[]): void {
  expect(
    wins.map(({ sequence, counter, instanceCount, winner }) => [
      sequence,
      counter,
      instanceCount,
      winner.amountAtoms,
    ]),
  ).toEqual([
    [1, 2, 1, atoms('51')],
    [2, 3, 2, atoms('8')],
  ]);
}

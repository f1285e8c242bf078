import { describe, expect, it } from 'vitest';
import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';
import { entriesOf } from '../checks/support.ts';
import { contribution, running } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { TestLane } from '../support/lane.ts';

const shares = { low: '0.1', twin: '0.1', high: '0.3', double: '0.3' };

/** Four pots that are all hit: two of the lowest value, two of the highest. */
function hitAll(win_selector_strategy: string | undefined, order: readonly (keyof typeof shares)[]) {
  const groups: DrawGroup[] = [];
  const lane = new TestLane();
  lane.recorder = { group: (group) => groups.push(group) };
  const pots = order.map((id) => ({
    id,
    contribution: { Percentage: shares[id] },
    pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }],
  }));
  const strategy = win_selector_strategy === undefined ? {} : { win_selector_strategy };
  lane.apply(...running(threePots({ ...strategy, house_pot: {}, pots })));
  const { events } = lane.apply(contribution());
  const paid = events.flatMap((event) => (event.kind === 'Won' ? [event.pot] : []));
  const flags = groups.flatMap(entriesOf).map((entry) => entry.flags);
  return { paid, flags };
}

describe('of pots that are hit together', () => {
  it.each([
    [undefined, ['high', 'low', 'twin', 'double'], 'low'],
    ['Lowest', ['high', 'low', 'twin', 'double'], 'low'],
    ['Lowest', ['twin', 'double', 'low', 'high'], 'twin'],
    ['Highest', ['low', 'high', 'double', 'twin'], 'high'],
    ['Highest', ['double', 'low', 'twin', 'high'], 'double'],
    ['First', ['twin', 'high', 'low', 'double'], 'twin'],
  ] as const)('%s of %j pays %s; the first of equals, the others are void', (strategy, order, wanted) => {
    const { paid, flags } = hitAll(strategy, order);
    expect(paid).toEqual([wanted]);
    expect(flags).toEqual(order.map((id) => (id === wanted ? 1 : 3)));
  });
});

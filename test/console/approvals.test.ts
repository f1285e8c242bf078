import { describe, expect, it } from 'vitest';
import {
  comparedWith,
  differencesOf,
  instanceOf,
  whyNotApprove,
} from '../../console/src/screens/approvals/words.ts';

const instance = {
  id: 'i',
  name: 'Aurora',
  pots: [{ id: 'mini', surplus_seed: '12.5', current_value: '50' }],
};

describe('a change that is proposed', () => {
  it('is not approved by who proposed it, which it says', () => {
    expect(whyNotApprove({ proposed_by: 'ada' }, 'ada')).toContain('You proposed this');
    expect(whyNotApprove({ proposed_by: 'ada' }, 'bob')).toBeNull();
  });

  it.each([
    ['/config/instances/i/pots/mini/surplus-seed', { id: 'i', pot: 'mini' }],
    ['/config/instances/a%2Fb/parameters', { id: 'a/b', pot: null }],
    ['/config/instances/i', { id: 'i', pot: null }],
    ['/config/operators/demo', null],
    ['/config/instances', null],
  ])('names what it is about: %s', (path, about) => expect(instanceOf(path)).toEqual(about));

  it('shows what is now beside what will be', () => {
    const path = '/config/instances/i/pots/mini/surplus-seed';
    expect(differencesOf(path, { adjustment: 7, reason: 'x' }, comparedWith(instance, 'mini'))).toEqual([
      { name: 'surplus_seed', before: '12.5', after: 'changed by 7' },
      { name: 'reason', before: undefined, after: 'x' },
    ]);
    expect(differencesOf('/config/instances/i', { name: 'Nova' }, comparedWith(instance, null))).toEqual([
      { name: 'name', before: 'Aurora', after: 'Nova' },
    ]);
  });

  it('invents no value of now', () => {
    expect(comparedWith(instance, 'gone')).toBeNull();
    expect(differencesOf('/config/operators/demo', { four_eyes: null }, null)).toEqual([
      { name: 'four_eyes', before: undefined, after: null },
    ]);
    for (const body of [null, [], 'text', 1]) expect(differencesOf('/x', body, null)).toBeNull();
  });
});

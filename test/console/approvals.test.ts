import { describe, expect, it } from 'vitest';
import {
  comparedWith,
  differencesOf,
  instanceOf,
  templateOf,
  templateText,
  whereOff,
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

  it.each([
    [
      { template_owner_id: 'acme', template_id: 'three', name: 'x' },
      { owner: 'acme', id: 'three' },
    ],
    [{ template_owner_id: 'acme', template_id: 7 }, null],
    [{ template_id: 'three' }, null],
    ['player_id,currency', null],
    [null, null],
  ])('names its template: %j', (body, template) => expect(templateOf(body)).toEqual(template));

  it.each([
    [null, 'version 3'],
    [{ version: 3, retired: false }, 'version 3, as it is now'],
    [
      { version: 5, retired: false },
      'version 3. It has changed meanwhile to version 5: approving this is refused. Reject it, and have it proposed again.',
    ],
    [{ version: 4, retired: true }, 'version 3. It is retired: approving this is refused.'],
  ])('says what has become of its template: %j', (now, text) => expect(templateText(3, now)).toBe(text));
});

describe('the rule of two persons', () => {
  const operator = (id: string, enabled: boolean) => ({ id, four_eyes: { enabled } });

  it('is said to be off for the operators without it, and how it is switched on', () => {
    const text = whereOff([operator('a', true), operator('b', false), operator('c', false)]);
    expect(text).toContain('is off for b, c. It is switched on with PATCH /config/operators/b ');
    expect(whereOff([...'abcdefg'].map((id) => operator(id, false)))).toContain('a, b, c, d, e and 2 more.');
  });

  it('is not spoken of where it is on for all', () => {
    expect(whereOff([operator('a', true)])).toBeNull();
    expect(whereOff([])).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import type { Bind } from '../../../src/messages/instance-commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import { contribution, createInstance, openEpoch, setBrand, setStatus } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { onePot, sureHit } from '../support/scenario.ts';

function bind(instance: string, owner: string, changes: Partial<Bind> = {}): Bind {
  return { kind: 'Bind', of: 'source', owner, ids: ['slot'], instance, priority: null, ...changes };
}

function active(instance: string, configuration = onePot()): readonly Command[] {
  return [
    createInstance(configuration, { instance }),
    openEpoch(instance, 0, [0, 1, 2]),
    setStatus('Active', instance),
  ];
}

function bySource(changes: Partial<Contribute> = {}): Contribute {
  return contribution({ target: { type: 'source', id: 'slot' }, ...changes });
}

function ready(): TestLane {
  const lane = new TestLane();
  lane.apply(setBrand(), ...active('a'), ...active('b'), ...active('c'));
  return lane;
}

function reached(lane: TestLane, command: Contribute): string {
  const [outcome] = lane.apply(command).outcomes;
  return outcome?.kind === 'Contributed' ? outcome.results[0]!.instance : (outcome as { code: string }).code;
}

describe('a contribution by source', () => {
  it('goes to the first by priority, ties by id; a brand comes before its operator', () => {
    const lane = ready();
    expect(reached(lane, bySource())).toBe('jackpot_not_found');
    lane.apply(bind('b', 'op', { priority: 0 }), bind('a', 'op', { priority: 0 }));
    expect(reached(lane, bySource())).toBe('a');
    lane.apply(bind('c', 'op:main', { priority: 9 }));
    expect(reached(lane, bySource())).toBe('c');
    expect([...lane.engine.bindings()]).toHaveLength(2);
  });

  it('goes to the last by id where none can come behind the highest priority', () => {
    const lane = ready();
    const highest = 2 ** 31 - 1;
    lane.apply(bind('b', 'op', { priority: highest }), bind('c', 'op'));
    expect([...lane.engine.bindings()].flatMap(({ bindings }) => bindings)).toEqual([
      { instance: 'b', priority: highest },
      { instance: 'c', priority: highest },
    ]);
  });

  it('falls through what is paused, closed to the country, or wants an opt-in', () => {
    const lane = ready();
    lane.apply(
      ...active('picky', onePot({}, { country_filters: { black_list: ['DE'] } })),
      ...active('members', onePot({}, { opt_in_required: true })),
      bind('a', 'op'),
      bind('picky', 'op'),
      bind('members', 'op'),
      bind('b', 'op'),
    );
    expect(reached(lane, bySource())).toBe('a');
    lane.apply(setStatus('Paused', 'a'));
    expect(reached(lane, bySource())).toBe('b');
    expect(reached(lane, bySource({ country: 'FR' }))).toBe('picky');
  });

  it('goes to what the segments of the player lead to first', () => {
    const lane = ready();
    lane.apply(
      bind('a', 'op'),
      { kind: 'SetSegment', owner: 'op:main', segment: 'vip', priority: 2 },
      { kind: 'SetSegment', owner: 'op', segment: 'new', priority: 1 },
      bind('b', 'op:main', { of: 'segment', ids: ['vip'] }),
      bind('c', 'op', { of: 'segment', ids: ['new'] }),
    );
    expect(reached(lane, bySource({ segments: ['vip'] }))).toBe('b');
    expect(reached(lane, bySource({ segments: ['vip', 'new', 'unknown'] }))).toBe('c');
    lane.apply({ kind: 'SetSegment', owner: 'op', segment: 'new', priority: null });
    expect(reached(lane, bySource({ segments: ['vip', 'new'] }))).toBe('b');
  });

  it('given segments of one priority, when a player is in both, then the jackpots priorities decide', () => {
    const lane = ready();
    lane.apply(
      { kind: 'SetSegment', owner: 'op:main', segment: 'east', priority: 1 },
      { kind: 'SetSegment', owner: 'op', segment: 'west', priority: 1 },
      bind('b', 'op:main', { of: 'segment', ids: ['east'], priority: 5 }),
      bind('c', 'op', { of: 'segment', ids: ['west'], priority: 2 }),
      bind('a', 'op', { of: 'segment', ids: ['west'], priority: 5 }),
    );
    expect(reached(lane, bySource({ segments: ['east', 'west'] }))).toBe('c');
    lane.apply(setStatus('Paused', 'c'));
    expect(reached(lane, bySource({ segments: ['west', 'east'] }))).toBe('b');
  });

  it('is resolved before the first draw of its message: what a win closes is closed from the next on', () => {
    const lane = ready();
    const once = onePot({ pot_types: [sureHit] }, {}, { max_instantiation_count: 1 });
    lane.apply(...active('once', once), bind('once', 'op'), bind('a', 'op'));
    expect(lane.apply(bySource(), bySource()).outcomes).toMatchObject([
      { results: [{ instance: 'once', win: {} }] },
      { code: 'instance_not_active' },
    ]);
    expect(reached(lane, bySource())).toBe('a');
  });

  it('changes with the priorities, and ends with the binding', () => {
    const lane = ready();
    lane.apply(bind('a', 'op'), bind('b', 'op'));
    const order = { kind: 'SetBindingPriorities', of: 'source', owner: 'op', id: 'slot' } as const;
    expect(lane.apply({ ...order, priorities: [['c', 0]] }).outcomes).toMatchObject([{ code: 'not_mapped' }]);
    const { events } = lane.apply({ ...order, priorities: [['a', 5]] });
    expect(events).toMatchObject([{ bindings: [{ instance: 'b' }, { instance: 'a', priority: 5 }] }]);
    expect(reached(lane, bySource())).toBe('b');
    lane.apply({ kind: 'Unbind', of: 'source', owner: 'op', ids: ['slot'], instance: 'b' });
    expect(reached(lane, bySource())).toBe('a');
  });
});

describe('a linked contribution', () => {
  const link: Command = {
    kind: 'SetLinks',
    instance: 'a',
    links: ['b', 'c'],
    user: '',
    expectedVersion: null,
  };

  it('has a result for each instance, the main one first; a refused link stops nothing', () => {
    const lane = ready();
    lane.apply(link, setStatus('Paused', 'b'));
    const { outcomes, instances } = lane.apply(
      contribution({ target: { type: 'instance', id: 'a' }, linked: true }),
    );
    expect(outcomes).toMatchObject([{ results: [{ instance: 'a' }, { instance: 'c' }] }]);
    expect(instances.map((each) => each.instance)).toEqual(['a', 'c']);
  });

  it('is not tried where the main one is refused', () => {
    const lane = ready();
    lane.apply(link, setStatus('Paused', 'a'));
    lane.apply(contribution({ target: { type: 'instance', id: 'a' }, linked: true }));
    expect(lane.engine.liveValues('c')?.sequence).toBe(0);
  });
});

import { expect, it } from 'vitest';
import { HeardOwners } from '../../../src/actors/placement/heard-owners.ts';
import type { HostRecord, HostRecordRow } from '../../../src/actors/placement/host-record.ts';
import { placementView } from '../../../src/actors/placement/placement-view.ts';
import type { Heartbeat } from '../../../src/messages/bus-messages.ts';

const clock = { ms: 10_000, nowMs: () => 1_000_000 + clock.ms, elapsedMs: () => clock.ms };

function beatOf(host: string, term: number, more: Partial<Heartbeat> = {}): Heartbeat {
  const life = { lane: 0, host: `${host}.life`, term, appliedSequence: 7, storedOutcome: 7 };
  return { ...life, condition: 'serving', code: '', laneHead: Uint8Array.of(0xab), ...more };
}

function recordOf(...lanes: readonly HostRecordRow[]): HostRecord {
  const engine = { oldest: 1, newest: 4 };
  return { life: 'life', failures: 0, isSettled: true, isLeaving: false, engine, keys: null, lanes };
}

function view(heard: HeardOwners) {
  const row = { lane: 0, term: 3, appliedSequence: 5, engineVersion: 4 };
  const hosts = new Map([
    ['a', recordOf({ ...row, duty: 'o' })],
    ['b', recordOf({ ...row, duty: 'f' })],
    ['c', recordOf({ ...row, duty: 'w' })],
  ]);
  const overrides = { drained: new Set(['b']), pins: new Map([[0, 'c']]) };
  return placementView({ hosts, placements: [{ owner: 'c', standby: 'a' }], overrides, heard });
}

it('names the owner that was heard within a second, and the standby that is warm', () => {
  const heard = new HeardOwners(clock);
  heard.beat(beatOf('a', 3));
  const { lanes, hosts } = view(heard);
  expect(lanes).toEqual([
    {
      ...{ lane: 0, owner: 'a', term: 3, condition: 'serving', code: '', appliedSequence: 7, head: 'ab' },
      ...{ standby: 'c', isStandbyWarm: true, standbySequence: 5, engineVersion: 4 },
      ...{ placedOwner: 'c', placedStandby: 'a', pinnedTo: 'c' },
    },
  ]);
  expect(
    hosts.map(({ id, isDrained, ownedLanes, followedLanes }) => [id, isDrained, ownedLanes, followedLanes]),
  ).toEqual([
    ['a', false, [0], []],
    ['b', true, [], [0]],
    ['c', false, [], [0]],
  ]);

  clock.ms += 999;
  expect(view(heard).lanes[0]!.owner).toBe('a');
  clock.ms += 1;
  const [silent] = view(heard).lanes;
  expect(silent).toMatchObject({
    owner: null,
    term: 3,
    condition: 'silent',
    head: null,
    appliedSequence: null,
  });
});

it('shows a halt where nobody serves the lane, and not that of a standby', () => {
  const heard = new HeardOwners(clock);
  heard.beat(beatOf('a', 3));
  heard.beat(beatOf('b', 3, { condition: 'stopped', code: 'standby_diverged' }));
  expect(view(heard).lanes[0]).toMatchObject({ owner: 'a', condition: 'serving' });
  clock.ms += 1_000;
  heard.beat(beatOf('a', 3, { condition: 'stopped', code: 'engine_fault' }));
  expect(view(heard).lanes[0]).toMatchObject({ owner: 'a', condition: 'stopped', code: 'engine_fault' });
});

it('remembers the last 200 changes of owners, each from the last heartbeat to the first', () => {
  const heard = new HeardOwners(clock);
  heard.beat(beatOf('a', 3));
  clock.ms += 1_150;
  heard.beat(beatOf('b', 4));
  // What was under way when the lane was taken.
  heard.beat(beatOf('a', 3));
  heard.beat(beatOf('b', 4));
  const change = { lane: 0, term: 4, from: 'a', to: 'b', timestampMs: 1_000_000 + clock.ms, silentMs: 1_150 };
  expect(view(heard).changes).toEqual([change]);
  for (let term = 5; term < 205; term += 1) heard.beat(beatOf(term % 2 === 0 ? 'b' : 'a', term));
  expect(heard.changes).toHaveLength(200);
  expect(heard.changes[0]!.term).toBe(5);
  expect(heard.changes.at(-1)!.term).toBe(204);
});

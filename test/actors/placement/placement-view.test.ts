import { expect, it } from 'vitest';
import type { HostRecord, HostRecordRow } from '../../../src/actors/placement/host-record.ts';
import { ObservedOwners } from '../../../src/actors/placement/observed-owners.ts';
import { placementView } from '../../../src/actors/placement/placement-view.ts';
import type { Heartbeat } from '../../../src/messages/bus-messages.ts';

const clock = { ms: 10_000, nowMs: () => 1_000_000 + clock.ms, elapsedMs: () => clock.ms };

const taken: [number, number][] = [];
const ownersOf = () => new ObservedOwners('b', clock, (lane, seconds) => taken.push([lane, seconds]));

function beatOf(host: string, term: number, more: Partial<Heartbeat> = {}): Heartbeat {
  const life = { lane: 0, host: `${host}.life`, term, appliedSequence: 7, storedOutcome: 7 };
  return { ...life, condition: 'serving', code: '', laneHead: Uint8Array.of(0xab), ...more };
}

function recordOf(...lanes: readonly HostRecordRow[]): HostRecord {
  const engine = { oldest: 1, newest: 4 };
  return { life: 'life', failures: 0, isSettled: true, isLeaving: false, engine, keys: null, lanes };
}

function view(owners: ObservedOwners) {
  const row = { lane: 0, term: 3, appliedSequence: 5, engineVersion: 4 };
  const hosts = new Map([
    ['a', recordOf({ ...row, duty: 'o' })],
    ['b', recordOf({ ...row, duty: 'f' })],
    ['c', recordOf({ ...row, duty: 'w' })],
  ]);
  const overrides = { drained: new Set(['b']), pins: new Map([[0, 'c']]) };
  return placementView({ hosts, placements: [{ owner: 'c', standby: 'a' }], overrides, owners });
}

it('names the owner that was observed within a second, and the standby that is warm', () => {
  const owners = ownersOf();
  owners.beat(beatOf('a', 3));
  const { lanes, hosts } = view(owners);
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
  expect(view(owners).lanes[0]!.owner).toBe('a');
  clock.ms += 1;
  const [silent] = view(owners).lanes;
  expect(silent).toMatchObject({
    owner: null,
    term: 3,
    condition: 'silent',
    head: null,
    appliedSequence: null,
  });
});

it('shows a halt where nobody serves the lane, and not that of a standby', () => {
  const owners = ownersOf();
  owners.beat(beatOf('a', 3));
  owners.beat(beatOf('b', 3, { condition: 'stopped', code: 'standby_diverged' }));
  expect(view(owners).lanes[0]).toMatchObject({ owner: 'a', condition: 'serving' });
  clock.ms += 1_000;
  owners.beat(beatOf('a', 3, { condition: 'stopped', code: 'engine_fault' }));
  expect(view(owners).lanes[0]).toMatchObject({ owner: 'a', condition: 'stopped', code: 'engine_fault' });
});

it('remembers the last 200 changes of owners, each from the last heartbeat to the first', () => {
  const owners = ownersOf();
  owners.beat(beatOf('a', 3));
  clock.ms += 1_150;
  owners.beat(beatOf('b', 4));
  // What was under way when the lane was taken.
  owners.beat(beatOf('a', 3));
  owners.beat(beatOf('b', 4));
  const change = { lane: 0, term: 4, from: 'a', to: 'b', timestampMs: 1_000_000 + clock.ms, silentMs: 1_150 };
  expect(view(owners).changes).toEqual([change]);
  expect(taken).toEqual([[0, 1.15]]);
  for (let term = 5; term < 205; term += 1) owners.beat(beatOf(term % 2 === 0 ? 'b' : 'a', term));
  // Others' takeovers are theirs to count.
  expect(taken).toHaveLength(101);
  expect(owners.changes).toHaveLength(200);
  expect(owners.changes[0]!.term).toBe(5);
  expect(owners.changes.at(-1)!.term).toBe(204);
});

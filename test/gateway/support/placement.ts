import type { LaneQueryAnswer } from '../../../src/messages/queries.ts';

/** What an actor host says that owns every lane, with a host that stands by. */
export function placementOf(lanes: number): Extract<LaneQueryAnswer, { kind: 'placement' }> {
  const numbers = Array.from({ length: lanes }, (_, lane) => lane);
  const host = { isSettled: true, isLeaving: false, isDrained: false, failures: 0, haltedLanes: [] };
  const engine = { oldest: 1, newest: 4 };
  return {
    kind: 'placement',
    ends: numbers.map((lane) => 100 + lane),
    view: {
      lanes: numbers.map((lane) => ({
        lane,
        owner: 'host-b',
        term: 2,
        condition: 'serving',
        code: '',
        appliedSequence: 100,
        head: 'ab',
        standby: 'host-a',
        isStandbyWarm: true,
        standbySequence: 98,
        engineVersion: 4,
        placedOwner: 'host-b',
        placedStandby: 'host-a',
        pinnedTo: null,
      })),
      hosts: [
        { ...host, id: 'host-b', engine, ownedLanes: numbers, followedLanes: [] },
        { ...host, id: 'host-a', engine, ownedLanes: [], followedLanes: numbers },
      ],
      changes: [
        { lane: 0, term: 2, from: 'host-a', to: 'host-b', timestampMs: 5_000, silentMs: 1_150 },
        { lane: 1, term: 2, from: 'host-a', to: 'host-b', timestampMs: 6_000, silentMs: 90 },
      ],
    },
  };
}

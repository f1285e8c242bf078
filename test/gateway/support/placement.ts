import { movesUnder } from '../../../src/contracts/lanes/placement-orders.ts';
import type { PlacementOrder, PlacementView } from '../../../src/messages/placement.ts';
import type { LaneQueryAnswer } from '../../../src/messages/queries.ts';

type Placement = Extract<LaneQueryAnswer, { kind: 'placement' }>;

/** What an actor host says that owns every lane, with a host that stands by. */
export function placementOf(lanes: number): Placement {
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
        pinnedTo: 'host-b',
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

/** Two hosts that follow orders at once. */
export class PlacedHosts {
  answer: Placement;

  constructor(lanes: number) {
    this.answer = placementOf(lanes);
  }

  follow(order: PlacementOrder): void {
    const { view } = this.answer;
    const owners = new Map(movesUnder(order, view).map(({ lane, to }) => [lane, to]));
    const ordered: PlacementView = {
      ...view,
      hosts: view.hosts.map((host) =>
        order.kind === 'drain' && order.host === host.id ? { ...host, isDrained: order.isDrained } : host,
      ),
      lanes: view.lanes.map((row) => ({
        ...row,
        owner: owners.get(row.lane) ?? row.owner,
        standby: owners.has(row.lane) ? row.owner : row.standby,
        pinnedTo: order.kind === 'move' && order.lane === row.lane ? order.host : row.pinnedTo,
      })),
    };
    this.answer = { ...this.answer, view: ordered };
  }
}

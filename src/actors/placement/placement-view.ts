import type { LanePlacement } from '../../contracts/lanes/place-lanes.ts';
import type { PlacedHostView, PlacedLane, PlacementView } from '../../messages/placement.ts';
import { type HostDuty, type HostRecord, hostIdOf } from './host-record.ts';
import type { ObservedOwners } from './observed-owners.ts';
import type { OverrideWatch } from './overrides.ts';

interface Seen {
  /** The live ones, this host among them. */
  readonly hosts: ReadonlyMap<string, HostRecord>;
  readonly placements: readonly LanePlacement[];
  readonly overrides: Pick<OverrideWatch, 'drained' | 'pins'>;
  readonly owners: ObservedOwners;
}

/** Where the lanes are and should be, by what a host has observed. */
export function placementView(seen: Seen): PlacementView {
  return {
    lanes: seen.placements.map((placement, lane) => laneView(lane, placement, seen)),
    hosts: [...seen.hosts].map(([id, record]) => hostView(id, record, seen.overrides.drained.has(id))),
    changes: seen.owners.changes,
  };
}

function laneView(lane: number, placed: LanePlacement, { hosts, overrides, owners }: Seen): PlacedLane {
  const beat = owners.current(lane);
  const owner = beat === null ? null : hostIdOf(beat.host);
  const rows = [...hosts].flatMap(([host, { lanes }]) =>
    lanes.filter((row) => row.lane === lane).map((row) => ({ ...row, host })),
  );
  const followers = rows.filter(({ duty, host }) => (duty === 'w' || duty === 'f') && host !== owner);
  const standby = followers.find(({ duty }) => duty === 'w') ?? followers[0];
  const head = beat?.laneHead;
  return {
    lane,
    owner,
    term: beat?.term ?? owners.term(lane),
    condition: beat?.condition ?? 'silent',
    code: beat?.code ?? '',
    appliedSequence: beat?.appliedSequence ?? null,
    head: head === undefined ? null : Buffer.from(head).toString('hex'),
    standby: standby?.host ?? null,
    isStandbyWarm: standby?.duty === 'w',
    standbySequence: standby?.appliedSequence ?? null,
    engineVersion: (rows.find(({ duty }) => duty === 'o') ?? rows[0])?.engineVersion ?? null,
    placedOwner: placed.owner,
    placedStandby: placed.standby,
    pinnedTo: overrides.pins.get(lane) ?? null,
  };
}

function hostView(id: string, record: HostRecord, isDrained: boolean): PlacedHostView {
  const { isSettled, isLeaving, failures, engine, lanes } = record;
  const having = (...duties: readonly HostDuty[]): number[] =>
    lanes.filter(({ duty }) => duties.includes(duty)).map(({ lane }) => lane);
  return {
    ...{ id, isSettled, isLeaving, isDrained, failures, engine },
    ownedLanes: having('o'),
    followedLanes: having('w', 'f'),
    haltedLanes: having('h'),
  };
}

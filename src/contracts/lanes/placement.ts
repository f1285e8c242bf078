import * as z from 'zod';
import type { OwnerChange, PlacedHostView, PlacedLane } from '../../messages/placement.ts';
import type { OrderedMove } from './placement-orders.ts';

/** Where lanes and actor hosts are (docs/rules/operations.md "Lanes"). Ids of hosts are POTSTREAM_HOST_ID. */
const host = z.string();
const sequence = z.int().nonnegative();

export const laneShape = z.strictObject({
  lane: z.int().nonnegative(),
  /** null: no host sent heartbeats as its owner for a second. */
  owner: host.nullable(),
  standby: host.nullable(),
  /** The standby has caught up, and can take the lane over at once. */
  is_standby_warm: z.boolean(),
  term: z.int().nullable(),
  condition: z.enum(['serving', 'full', 'stopped', 'silent']),
  /** Why it is stopped, or the stream that is full; the runbook has a chapter of this name. */
  code: z.string(),
  /** The last message of the lane's log; null: the log was not reached. */
  sequence: sequence.nullable(),
  /** Messages that the owner, or the standby, had not applied when it last said so. */
  lag: sequence.nullable(),
  standby_lag: sequence.nullable(),
  /** The hash over everything that the owner had applied, in hex. */
  head: z.string().nullable(),
  engine_version: z.int().nullable(),
  /** Where the lane belongs, by the hosts and orders of now. */
  placed_owner: host.nullable(),
  placed_standby: host.nullable(),
  /** The owner that an administrator chose by moving the lane. */
  pinned_to: host.nullable(),
});

export const hostShape = z.strictObject({
  id: host,
  /** Up for long enough after its last failure to own lanes. */
  is_settled: z.boolean(),
  is_leaving: z.boolean(),
  is_drained: z.boolean(),
  failures: z.int(),
  engine: z.strictObject({ oldest: z.int(), newest: z.int() }),
  owned_lanes: z.array(z.int()),
  followed_lanes: z.array(z.int()),
  halted_lanes: z.array(z.int()),
});

export const failoverShape = z.strictObject({
  lane: z.int().nonnegative(),
  term: z.int(),
  from: host,
  to: host,
  /** The new owner's first heartbeat. */
  timestamp: z.int(),
  /** Milliseconds between the former owner's last heartbeat and it. Owners send one each 200 ms. */
  silent_ms: z.int().nonnegative(),
});

export const moveShape = z.strictObject({
  lane: z.int().nonnegative(),
  from: host.nullable(),
  /** null: no host can have it. */
  to: host.nullable(),
  /** The new owner has caught up with the lane; otherwise the lane moves once it has. */
  is_warm: z.boolean(),
});

/** Inputs of orders, as a path has them. */
export const laneOwner = {
  lane: z
    .string()
    .regex(/^(0|[1-9][0-9]{0,3})$/)
    .transform(Number),
  hostId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
} as const;

/** The host that a lane is moved to, and why, for the audit trail. */
export const hostMove = z.strictObject({
  host_id: laneOwner.hostId,
  reason: z.string().min(1).max(1_000).optional(),
});

/** A lane as it is shown; `end`: the last message of the lane's log. */
export function laneText(view: PlacedLane, end: number | null): z.infer<typeof laneShape> {
  const lag = (applied: number | null): number | null =>
    applied === null || end === null ? null : Math.max(0, end - applied);
  return {
    lane: view.lane,
    owner: view.owner,
    standby: view.standby,
    is_standby_warm: view.isStandbyWarm,
    term: view.term,
    condition: view.condition,
    code: view.code,
    sequence: end,
    lag: lag(view.appliedSequence),
    standby_lag: lag(view.standbySequence),
    head: view.head,
    engine_version: view.engineVersion,
    placed_owner: view.placedOwner,
    placed_standby: view.placedStandby,
    pinned_to: view.pinnedTo,
  };
}

/** An actor host as it is shown. */
export function hostText(view: PlacedHostView): z.input<typeof hostShape> {
  return {
    id: view.id,
    is_settled: view.isSettled,
    is_leaving: view.isLeaving,
    is_drained: view.isDrained,
    failures: view.failures,
    engine: { ...view.engine },
    owned_lanes: [...view.ownedLanes],
    followed_lanes: [...view.followedLanes],
    halted_lanes: [...view.haltedLanes],
  };
}

/** A change of owners as it is shown. */
export function failoverText(change: OwnerChange): z.input<typeof failoverShape> {
  const { lane, term, from, to, timestampMs, silentMs } = change;
  return { lane, term, from, to, timestamp: timestampMs, silent_ms: silentMs };
}

/** A move as it is shown. */
export function moveText({ lane, from, to, isWarm }: OrderedMove): z.infer<typeof moveShape> {
  return { lane, from, to, is_warm: isWarm };
}

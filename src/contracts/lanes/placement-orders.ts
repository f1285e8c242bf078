import type { PlacementOrder, PlacementView } from '../../messages/placement.ts';
import { placeLanes } from './place-lanes.ts';

/** Orders of administrators are entries of KV PLACEMENT, which every actor host follows. */

/** The entry that an order writes; value null: it is removed. */
export function entryOf(order: PlacementOrder): { readonly key: string; readonly value: string | null } {
  return order.kind === 'move'
    ? { key: `move.${order.lane}`, value: order.host }
    : { key: `drain.${order.host}`, value: order.isDrained ? 'drained' : null };
}

/** A lane that an order gives another owner. */
export interface OrderedMove {
  readonly lane: number;
  readonly from: string | null;
  /** null: no host can have it. */
  readonly to: string | null;
  /** The new owner has caught up with the lane and can take it over at once. */
  readonly isWarm: boolean;
}

/** What the hosts would do about an order, by what one of them sees: the lanes that get another owner. */
export function movesUnder(order: PlacementOrder, { lanes, hosts }: PlacementView): readonly OrderedMove[] {
  const pins = new Map(
    lanes.flatMap(({ lane, pinnedTo }) => (pinnedTo === null ? [] : [[lane, pinnedTo] as const])),
  );
  if (order.kind === 'move' && order.host !== null) pins.set(order.lane, order.host);
  else if (order.kind === 'move') pins.delete(order.lane);
  const version = Math.max(0, ...lanes.map(({ engineVersion }) => engineVersion ?? 0));
  const placed = hosts.map(({ id, isSettled, isLeaving, isDrained, engine }) => {
    const drained = order.kind === 'drain' && order.host === id ? order.isDrained : isDrained;
    return { id, isSettled, isLeaving: isLeaving || drained || engine.newest < version };
  });
  const owners = placeLanes(lanes.length, placed, pins).map(({ owner }) => owner);
  return lanes.flatMap(({ lane, owner: from, standby, isStandbyWarm }) => {
    const to = owners[lane] ?? null;
    return to === from ? [] : [{ lane, from, to, isWarm: to !== null && to === standby && isStandbyWarm }];
  });
}

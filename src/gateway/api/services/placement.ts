import type { PlacementOrder } from '../../../messages/placement.ts';
import type { LaneQueryAnswer } from '../../../messages/queries.ts';
import { PublicError } from '../../base/errors.ts';
import type { LaneClient } from '../../lanes/lane-client.ts';

type Placement = Extract<LaneQueryAnswer, { kind: 'placement' }>;

/** Several, because the owner of one may just have died (docs/decisions/0498). */
const maxAsked = 3;

const underWay = new WeakMap<LaneClient, Promise<Placement>>();

/**
 * Where lanes and hosts are, by the first of the owners of some `lanes` to answer. All who ask while a
 * question is under way get its answer. @throws PublicError 503
 */
export function placementNow(client: LaneClient, lanes: readonly number[]): Promise<Placement> {
  const present = underWay.get(client);
  if (present !== undefined) return present;
  const asked = Promise.any(lanes.slice(0, maxAsked).map((lane) => placementBy(client, lane)))
    .catch(() => Promise.reject(new PublicError('storage_unavailable')))
    .finally(() => underWay.delete(client));
  underWay.set(client, asked);
  return asked;
}

/** As the owner of a lane sees it. @throws PublicError 503 */
export async function placementBy(client: LaneClient, lane: number): Promise<Placement> {
  const answer = await client.query(lane, { kind: 'placement' });
  if (answer.kind !== 'placement') throw new PublicError('storage_unavailable');
  return answer;
}

/** One host after the other is asked to write the order, until one has. @throws PublicError 503 */
export async function orderPlacement(
  client: LaneClient,
  lanes: readonly number[],
  order: PlacementOrder,
): Promise<void> {
  for (const lane of lanes.slice(0, maxAsked)) {
    const answer = await client.query(lane, { kind: 'placement_order', order }).catch(() => null);
    if (answer?.kind === 'placement_order') return;
  }
  throw new PublicError('storage_unavailable');
}

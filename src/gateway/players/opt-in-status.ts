import type { OptInStatusRecord } from '../../contracts/log/outcomes.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import { PublicError } from '../errors.ts';
import type { GatewayContext } from '../operation.ts';

/** A player's opt-in status in an instance, as the lane knows it. */
export async function optInStatus(
  { lanes }: Pick<GatewayContext, 'lanes'>,
  known: KnownInstance,
  brand: string,
  player: string,
): Promise<OptInStatusRecord> {
  const { instance } = known.description;
  const answer = await lanes.query(known.lane, { kind: 'opt_in_status', instance, brand, player });
  if (answer.kind !== 'opt_in_status') throw new PublicError('overloaded');
  return answer.status;
}

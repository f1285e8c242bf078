import { PublicError } from './errors.ts';
import type { LogPosition } from './lane-client.ts';
import type { GatewayContext } from './operation.ts';

/** Where the lane took in what an idempotency key first stood for; null: it does not know the key. */
export async function lookUpIdempotencyKey(
  { lanes }: Pick<GatewayContext, 'lanes'>,
  lane: number,
  key: Uint8Array,
): Promise<LogPosition | null> {
  const answer = await lanes.query(lane, { kind: 'idempotency_key', key });
  if (answer.kind !== 'idempotency_key') throw new PublicError('overloaded');
  return answer.position;
}

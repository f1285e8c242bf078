import { PublicError } from '../base/errors.ts';
import type { LaneClient, LogPosition } from './lane-client.ts';

interface Context {
  readonly lanes: Pick<LaneClient, 'query'>;
}

/** Where the lane first took in a key, or null. `brand`: of a contribution, '' for administrators. */
export async function lookUpIdempotencyKey(
  context: Context,
  lane: number,
  key: Uint8Array,
  brand = '',
): Promise<LogPosition | null> {
  return (await ask(context, lane, key, brand)).position;
}

/** The forms of an administrator's key: those of releases before belong to the user, too. */
export interface KeyForms {
  readonly key: Uint8Array;
  readonly former: Uint8Array;
}

/**
 * The form in which a lane keeps an administrator's key: the former one as long as it knows it, or its
 * version has no other.
 */
export async function formInLane(
  context: Context,
  lane: number,
  { key, former }: KeyForms,
): Promise<Uint8Array> {
  const { position, ofBrands } = await ask(context, lane, former, '');
  return position === null && ofBrands ? key : former;
}

async function ask({ lanes }: Context, lane: number, key: Uint8Array, brand: string) {
  const answer = await lanes.query(lane, { kind: 'idempotency_key', key, brand });
  if (answer.kind !== 'idempotency_key') throw new PublicError('overloaded');
  return answer;
}

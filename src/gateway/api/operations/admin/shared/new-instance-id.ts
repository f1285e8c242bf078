import { toHex } from '../../../../../lib/bytes.ts';
import { sha256 } from '../../../../../lib/hashes.ts';
import type { InstanceDescription } from '../../../../../messages/records.ts';
import type { ApprovedRequest, GatewayContext } from '../../../operation/operation.ts';
import { describeInstances } from './lane-answers.ts';

const idBytes = 16;

/** The id of a new instance: by chance, or that of its approval, so that no attempt makes a second one. */
export function newInstanceId({ random }: GatewayContext, approved: ApprovedRequest | null): string {
  return toHex(
    approved === null ? random.bytes(idBytes) : sha256(`instance of approval ${approved.id}`, idBytes),
  );
}

/** The instance that an earlier attempt of an approved change has made. */
export async function madeBefore(
  context: GatewayContext,
  lane: number,
  instance: string,
  approved: ApprovedRequest | null,
): Promise<InstanceDescription | null> {
  if (approved === null || approved.attempt === 1) return null;
  return (await describeInstances(context, lane, [instance]))[0] ?? null;
}

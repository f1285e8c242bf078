import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import { readModelHas, updateEntry } from '../../../directory/write-entries.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { requireReachable } from '../shared/bindable-instance.ts';
import { requireSuccess } from '../shared/lane-answers.ts';

/**
 * Binds the instance to the segment in the instance's lane. `priority` null: behind the others. All instances of a
 * segment are of one group, which the first one decides: it is written into the segment's entry before the lane is told,
 * because the lanes of two groups cannot see each other.
 */
export async function bindSegment(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  segment: string,
  instance: string,
  priority: number | null,
): Promise<void> {
  const { lane, description } = requireReachable(context, principal, owner, instance, null);
  const revision = await updateEntry(context, 'segment', directoryKey.segment(owner, segment), (current) => {
    if (current === null) throw new PublicError('segment_not_found');
    if (current.group === description.group) return null;
    if (current.group !== '') throw new PublicError('group_mismatch');
    return { ...current, group: description.group };
  });
  const ids = [segment];
  const binding = { of: 'segment', owner, ids, instance } as const;
  requireSuccess(await context.lanes.send(lane, { kind: 'Bind', ...binding, priority }));
  await readModelHas(context, revision);
  if (context.directory.entries.segments.has(ownedKey(owner, segment))) return;
  // The segment was deleted meanwhile: it had no jackpot and gets no jackpot.
  await context.lanes.send(lane, { kind: 'Unbind', ...binding });
  throw new PublicError('segment_not_found');
}

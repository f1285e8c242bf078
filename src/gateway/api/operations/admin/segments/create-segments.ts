import { authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { newSegments, segmentsCreated } from '../../../../../contracts/directory/segment.ts';
import { isForeignId, isOwnerPath } from '../../../../../contracts/fields/identifiers.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { createEntry, inParallel, lanesHave } from '../../../directory/write-entries.ts';
import type { ApprovedRequest } from '../../../operation/approved-request.ts';
import { defineOperation, type GatewayContext } from '../../../operation/operation.ts';
import { requireOneGroup, requireReachable } from '../shared/bindable-instance.ts';
import { byFate, type Fate, fateOf, isLater, ownersOfItems, rollBack } from '../shared/created-items.ts';
import { bindSegment } from './bind-segment.ts';

type NewSegment = (typeof newSegments)['_output'][number];

/**
 * A8: creates segments, at most 1,000. One that exists is `duplicated`; one of an unknown owner, with a malformed id, or with a jackpot
 * that cannot be assigned, is `failed` and does not exist afterwards. Answers when every lane resolves with them. Under the
 * four-eyes rule it needs a second administrator, also without jackpots: nothing else sets the priority of a segment.
 */
export const createSegmentsOperation = defineOperation({
  id: 'A8',
  name: 'Create segments',
  method: 'POST',
  path: '/config/segments',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: newSegments },
  output: segmentsCreated,
  limits: { bodyBytes: 1024 * 1024 },
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, approved } = request;
    const owners = ownersOfItems(context, principal, body);
    const proposed = await proposedChange(context, request, owners);
    if (proposed !== null) return proposed;
    const created = await inParallel(body, (item) =>
      createSegment(context, principal, item, approved).catch((reason: unknown) => ({ reason })),
    );
    const revisions = created.filter((each) => typeof each === 'number');
    try {
      const outage = created.find((each) => typeof each === 'object');
      if (outage !== undefined) throw outage.reason;
      if (revisions.length > 0) await lanesHave(context, Math.max(...revisions));
    } catch (error) {
      // Repeated, it would find segments that exist, without their jackpots.
      await inParallel(body, async (item, index) => {
        if (typeof created[index] === 'number') await rollBackSegment(context, item);
      });
      throw error;
    }
    const fates = await inParallel(created as (number | Fate)[], async (each, index) =>
      typeof each === 'number' ? assignJackpots(context, principal, body[index]!) : each,
    );
    const ids = body.map((item) => item.id);
    return { status: 200, body: byFate(ids, fates) };
  },
});

/** The revision of the new entry, or what became of it instead. */
async function createSegment(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  item: NewSegment,
  approved: ApprovedRequest | null,
): Promise<number | Fate> {
  const { owner_id: owner, id, name, priority, jackpots } = item;
  const { entries } = context.directory;
  if (!isOwnerPath(owner) || !isForeignId(id)) return 'failed';
  if (authorize(principal, 'configure', owner) !== 'allowed' || entries.enabled(owner) === null)
    return 'failed';
  if (entries.segments.has(ownedKey(owner, id)) && !isLater(approved)) return 'duplicated';
  try {
    requireOneGroup(
      (jackpots ?? []).map((jackpot) =>
        requireReachable(context, principal, owner, jackpot.instance_id, jackpot.owner_id),
      ),
    );
  } catch (error) {
    return fateOf(error);
  }
  const created_timestamp = context.clock.nowMs();
  const value = { name: name ?? null, priority, created_timestamp };
  const key = directoryKey.segment(owner, id);
  return (await createEntry(context, 'segment', key, value, approved)) ?? 'duplicated';
}

async function assignJackpots(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  item: NewSegment,
): Promise<Fate> {
  const { owner_id: owner, id } = item;
  try {
    for (const jackpot of item.jackpots ?? [])
      await bindSegment(context, principal, owner, id, jackpot.instance_id, jackpot.priority);
    return 'succeeded';
  } catch (error) {
    await rollBackSegment(context, item);
    return fateOf(error);
  }
}

function rollBackSegment(context: GatewayContext, { owner_id, id, jackpots }: NewSegment): Promise<void> {
  const instances = (jackpots ?? []).map((jackpot) => jackpot.instance_id);
  return rollBack(context, 'segment', owner_id, id, instances);
}

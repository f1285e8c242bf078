import { authorize } from '../../../access/authorize.ts';
import type { AdministratorPrincipal } from '../../../access/principal.ts';
import { directoryKey } from '../../../contracts/directory-keys.ts';
import type { ErrorCode } from '../../../contracts/errors.ts';
import { newSegments, segmentsCreated } from '../../../contracts/segment.ts';
import { ownedKey } from '../../../directory/owners.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation, type GatewayContext } from '../../operation.ts';
import { bindSegment } from './bind-segment.ts';
import { requireOneGroup, requireReachable } from './bindable-instance.ts';
import { createEntry, inParallel, lanesHave, removeEntry } from './write-directory.ts';

type NewSegment = (typeof newSegments)['_output'][number];
type Fate = 'succeeded' | 'duplicated' | 'failed';

/** Refusals of one item that do not concern the others. */
const itemRefusals: ReadonlySet<ErrorCode> = new Set(['instance_not_found', 'group_mismatch']);

/**
 * A8: creates segments, at most 1,000. One that exists is `duplicated`; one of an unknown owner, or with a jackpot
 * that cannot be assigned, is `failed` and does not exist afterwards. Answers when every lane resolves with them.
 */
export const createSegments = defineOperation({
  id: 'A8',
  name: 'Create segments',
  method: 'POST',
  path: '/config/segments',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: newSegments },
  output: segmentsCreated,
  limits: { bodyBytes: 1024 * 1024 },
  async handle({ principal, body }, context) {
    const created = await inParallel(body, (item) => createSegment(context, principal, item));
    const newest = Math.max(0, ...created.map((each) => (typeof each === 'number' ? each : 0)));
    if (newest > 0) await lanesHave(context, newest);
    const fates = await inParallel(created, async (each, index) =>
      typeof each === 'number' ? assignJackpots(context, body[index]!) : each,
    );
    const answer: Record<Fate, string[]> = { succeeded: [], duplicated: [], failed: [] };
    body.forEach((item, index) => void answer[fates[index]!].push(item.id));
    return { status: 200, body: answer };
  },
});

/** The revision of the new entry, or what became of it instead. */
async function createSegment(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  item: NewSegment,
): Promise<number | Fate> {
  const { owner_id: owner, id, name, priority, jackpots } = item;
  const { entries } = context.directory;
  if (authorize(principal, 'configure', owner) !== 'allowed' || entries.enabled(owner) === null)
    return 'failed';
  if (entries.segments.has(ownedKey(owner, id))) return 'duplicated';
  try {
    requireOneGroup(
      (jackpots ?? []).map((jackpot) =>
        requireReachable(context, owner, jackpot.instance_id, jackpot.owner_id),
      ),
    );
  } catch (error) {
    return fateOf(error);
  }
  const created_timestamp = context.clock.nowMs();
  const value = { name: name ?? null, priority, created_timestamp };
  return (await createEntry(context, 'segment', directoryKey.segment(owner, id), value)) ?? 'duplicated';
}

async function assignJackpots(context: GatewayContext, item: NewSegment): Promise<Fate> {
  const { owner_id: owner, id, jackpots } = item;
  try {
    for (const jackpot of jackpots ?? [])
      await bindSegment(context, owner, id, jackpot.instance_id, jackpot.priority);
    return 'succeeded';
  } catch (error) {
    const fate = fateOf(error);
    await unbindAll(context, owner, id);
    await removeEntry(context, directoryKey.segment(owner, id));
    return fate;
  }
}

function fateOf(error: unknown): Fate {
  if (error instanceof PublicError && itemRefusals.has(error.code)) return 'failed';
  throw error;
}

async function unbindAll(context: GatewayContext, owner: string, id: string): Promise<void> {
  const { directory, lanes } = context;
  for (const { instance } of directory.lanes.bindings('segment', owner, id)) {
    const lane = directory.known(instance)?.lane;
    if (lane !== undefined)
      await lanes.send(lane, { kind: 'Unbind', of: 'segment', owner, ids: [id], instance });
  }
}

import { authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { newSources, sourcesCreated } from '../../../../../contracts/directory/source.ts';
import { isForeignId, isOwnerPath } from '../../../../../contracts/fields/identifiers.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { createEntry, inParallel, readModelHas } from '../../../directory/write-entries.ts';
import type { ApprovedRequest } from '../../../operation/approved-request.ts';
import { defineOperation, type GatewayContext } from '../../../operation/operation.ts';
import { requireOneGroup } from '../shared/bindable-instance.ts';
import { byFate, type Fate, fateOf, isLater, ownersOfItems, rollBack } from '../shared/created-items.ts';
import { bindSources, checkSourceBinding } from './bind-sources.ts';

type NewSource = (typeof newSources)['_output'][number];

/**
 * A14: creates sources, at most 1,000. One that exists is `duplicated`; one of an unknown owner, with a malformed id, or with a jackpot
 * that cannot be bound, is `failed` and does not exist afterwards. Under the four-eyes rule one with jackpots needs a second
 * administrator.
 */
export const createSourcesOperation = defineOperation({
  id: 'A14',
  name: 'Create sources',
  method: 'POST',
  path: '/config/sources',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: newSources },
  output: sourcesCreated,
  limits: { bodyBytes: 1024 * 1024 },
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, approved } = request;
    const bound = body.filter(({ jackpots }) => jackpots.length > 0);
    const proposed = await proposedChange(context, request, ownersOfItems(context, principal, bound));
    if (proposed !== null) return proposed;
    const fates = await inParallel(body, (item) => createSource(context, principal, item, approved));
    const ids = body.map((item) => item.source_id);
    return { status: 200, body: byFate(ids, fates) };
  },
});

async function createSource(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  item: NewSource,
  approved: ApprovedRequest | null,
): Promise<Fate> {
  const { owner_id, source_id, source_name } = item;
  const { entries } = context.directory;
  if (!isOwnerPath(owner_id) || !isForeignId(source_id)) return 'failed';
  if (authorize(principal, 'configure', owner_id) !== 'allowed' || entries.enabled(owner_id) === null)
    return 'failed';
  if (entries.sources.has(ownedKey(owner_id, source_id)) && !isLater(approved)) return 'duplicated';
  const key = directoryKey.source(owner_id, source_id);
  const { jackpots } = item;
  let created = false;
  try {
    requireOneGroup(
      jackpots.map((jackpot) =>
        checkSourceBinding(context, principal, owner_id, [source_id], jackpot.instance_id, jackpot.owner_id),
      ),
    );
    const created_timestamp = context.clock.nowMs();
    const value = { name: source_name, created_timestamp };
    const revision = await createEntry(context, 'source', key, value, approved);
    if (revision === null) return 'duplicated';
    created = true;
    await readModelHas(context, revision);
    for (const jackpot of jackpots)
      await bindSources(context, principal, owner_id, [source_id], jackpot.instance_id, jackpot.priority);
    return 'succeeded';
  } catch (error) {
    const instances = jackpots.map((jackpot) => jackpot.instance_id);
    if (created) await rollBack(context, 'source', owner_id, source_id, instances);
    return fateOf(error);
  }
}

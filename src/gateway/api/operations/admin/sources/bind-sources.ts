import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { PublicError } from '../../../../base/errors.ts';
import { claimSourceGroup } from '../../../contribution/source-group.ts';
import { inParallel, readModelHas } from '../../../directory/write-entries.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { requireReachable } from '../shared/bindable-instance.ts';
import { requireSuccess } from '../shared/lane-answers.ts';

/**
 * Checks that sources of an owner may lead to the instance: the caller may configure it, it is of the owner's operator (or
 * allows brands of it), and each source is in its group or in none yet.
 */
export function checkSourceBinding(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  sources: readonly string[],
  instance: string,
  instanceOwner: string | null,
): KnownInstance {
  const known = requireReachable(context, principal, owner, instance, instanceOwner);
  const { entries } = context.directory;
  for (const source of sources) {
    const group = entries.sourceGroup(owner, source) ?? known.description.group;
    if (group !== known.description.group) throw new PublicError('group_mismatch');
  }
  return known;
}

/** Binds in the instance's lane. `priority` null: behind the others. */
export async function bindSources(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  sources: readonly string[],
  instance: string,
  priority: number | null,
): Promise<void> {
  const { lane, description } = requireReachable(context, principal, owner, instance, null);
  // Two gateways may bind one source at once to instances of different groups, whose lanes cannot see each other.
  const claims = await inParallel(sources, (source) =>
    claimSourceGroup(context, owner, source, description.group),
  );
  if (claims.some((claim) => claim.group !== description.group)) throw new PublicError('group_mismatch');
  await readModelHas(context, Math.max(0, ...claims.map((claim) => claim.revision)));
  requireSuccess(
    await context.lanes.send(lane, { kind: 'Bind', of: 'source', owner, ids: sources, instance, priority }),
  );
}

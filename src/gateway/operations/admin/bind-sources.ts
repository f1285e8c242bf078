import { encodeForeignId } from '../../../contracts/directory-keys.ts';
import { isWithin, operatorOf } from '../../../contracts/identifiers.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { Replica } from '../../../directory/replica.ts';
import { PublicError } from '../../errors.ts';
import type { GatewayContext } from '../../operation.ts';
import { requireSuccess } from './lane-answers.ts';
import { stored } from './write-directory.ts';

const claimTries = 8;

/**
 * Checks that sources of an owner may lead to the instance: it exists, is of the owner's operator (or allows brands of
 * it), and all bindings of each source id within the operator stay in one group.
 */
export function checkBinding(
  context: GatewayContext,
  owner: string,
  sources: readonly string[],
  instance: string,
  instanceOwner: string | null,
): KnownInstance {
  const { directory } = context;
  const known = directory.known(instance);
  if (known === undefined || !reaches(directory, known, owner)) throw new PublicError('instance_not_found');
  if (instanceOwner !== null && instanceOwner !== known.description.owner)
    throw new PublicError('instance_not_found');
  for (const source of sources) {
    const groups = directory.boundGroups(operatorOf(owner), source);
    if (groups.some((group) => group !== known.description.group)) throw new PublicError('group_mismatch');
  }
  return known;
}

/** Binds in the instance's lane. `priority` null: behind the others. */
export async function bindSources(
  context: GatewayContext,
  owner: string,
  sources: readonly string[],
  instance: string,
  priority: number | null,
): Promise<void> {
  const known = context.directory.known(instance);
  if (known === undefined) throw new PublicError('instance_not_found');
  for (const source of sources) await claimGroup(context, operatorOf(owner), source, known.description.group);
  const answer = await context.lanes.send(known.lane, {
    kind: 'Bind',
    of: 'source',
    owner,
    ids: sources,
    instance,
    priority,
  });
  requireSuccess(answer);
}

/**
 * Two gateways may bind one source at the same time to instances of different groups, which live in different lanes and
 * cannot see each other: the group of a source id is therefore claimed in the directory, with compare-and-set.
 */
async function claimGroup(
  context: GatewayContext,
  operator: string,
  source: string,
  group: string,
): Promise<void> {
  const table = context.tables.directory;
  const key = `sourcegroup.${operator}.${encodeForeignId(source)}`;
  for (let tries = 0; tries < claimTries; tries += 1) {
    const present = await stored(() => table.get(key));
    const claimed = present === null ? null : Buffer.from(present.value).toString('utf8');
    if (claimed === group) return;
    if (claimed !== null && context.directory.boundGroups(operator, source).includes(claimed))
      throw new PublicError('group_mismatch');
    const value = Buffer.from(group, 'utf8');
    if ((await stored(() => table.put(key, value, present?.revision ?? 0))) !== null) return;
  }
  throw new PublicError('overloaded');
}

function reaches(directory: Replica, known: KnownInstance, owner: string): boolean {
  if (operatorOf(known.description.owner) === operatorOf(owner)) return true;
  return directory.allowedBrands(known).some((brand) => isWithin(brand, owner));
}

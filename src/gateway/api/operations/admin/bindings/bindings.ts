import { authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import {
  isForeignId,
  isOwnerPath,
  isWithin,
  operatorOf,
} from '../../../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import type { ReadModel } from '../../../../../directory/read-model.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { Reply } from '../../../../base/reply.ts';
import { type AdministratorsRequest, proposedChange } from '../../../approvals/propose.ts';
import { inParallel, readModelShows, removeEntry } from '../../../directory/write-entries.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireOwner } from '../shared/owner-access.ts';

/** What leads to jackpots that are bound to it: sources, or segments of players. */
export interface BindingKind<Entry> {
  readonly of: 'source' | 'segment';
  readonly missing: 'source_not_found' | 'segment_not_found';
  /** Whether its group outlasts its entry: then a new entry may have one already. */
  readonly keepsGroup: boolean;
  entries(directory: ReadModel): { get(key: string): Entry | undefined; has(key: string): boolean };
  /** The group that all of its jackpots are in; undefined: it has none yet. */
  groupOf(directory: ReadModel, owner: string, id: string): string | undefined;
  /** Binds the instance to all of these in the instance's lane. `priority` null: after the others. */
  bind(context: GatewayContext, principal: AdministratorPrincipal, bound: Bound): Promise<void>;
  view(directory: ReadModel, entry: Entry): unknown;
}

interface Assignment {
  readonly owner: string;
  readonly ids: readonly string[];
  readonly instance: string;
}

interface Bound extends Assignment {
  readonly priority: number | null;
}

type BindingRequest = AdministratorsRequest & { readonly principal: AdministratorPrincipal };

/** Binds an instance after the other jackpots; binding it again changes nothing. */
export async function assign<E>(
  context: GatewayContext,
  request: BindingRequest,
  kind: BindingKind<E>,
  assignment: Assignment,
): Promise<Reply> {
  const { principal } = request;
  const { owner } = assignment;
  requireEntries(context, principal, kind, assignment);
  const known = requireBindable(context, principal, kind, assignment, null);
  const proposed = await proposedChange(context, request, [owner, known.description.owner]);
  if (proposed !== null) return proposed;
  await kind.bind(context, principal, { ...assignment, priority: null });
  return { status: 204 };
}

/** Unbinds an instance; `not_mapped` where it is not bound to one of the ids. */
export async function unassign<E>(
  context: GatewayContext,
  request: BindingRequest,
  kind: BindingKind<E>,
  assignment: Assignment,
): Promise<Reply> {
  const { principal, approved } = request;
  const { of } = kind;
  const { owner, ids, instance } = assignment;
  const { directory, lanes } = context;
  requireEntries(context, principal, kind, assignment);
  const known = requireInstance(context, principal, 'configure', instance);
  const bound = ids.filter((id) =>
    directory.lanes.bindings(of, owner, id).some((binding) => binding.instance === instance),
  );
  // An earlier attempt has unbound all of them in one command.
  if (bound.length === 0 && approved !== null && approved.attempt > 1) return { status: 204 };
  if (bound.length < ids.length) throw new PublicError('not_mapped');
  const proposed = await proposedChange(context, request, [owner, known.description.owner]);
  if (proposed !== null) return proposed;
  requireSuccess(await lanes.send(known.lane, { kind: 'Unbind', of, owner, ids, instance }));
  return { status: 204 };
}

/** Sets priorities by instance id; `not_mapped` where an instance is not bound. Answers with the entry. */
export async function orderJackpots<E>(
  context: GatewayContext,
  request: BindingRequest,
  kind: BindingKind<E>,
  asked: {
    readonly brand_id: string;
    readonly segment_id: string;
    readonly priorities: Record<string, number>;
  },
): Promise<Reply> {
  const { of } = kind;
  const { brand_id: owner, segment_id: id } = asked;
  const { directory, lanes } = context;
  const [entry] = requireEntries(context, request.principal, kind, { owner, ids: [id] });
  const priorities = Object.entries(asked.priorities);
  const bound = new Set(directory.lanes.bindings(of, owner, id).map(({ instance }) => instance));
  if (priorities.some(([instance]) => !bound.has(instance)))
    throw new PublicError(directory.unknownOr('not_mapped'));
  const proposed = await proposedChange(context, request, owner);
  if (proposed !== null) return proposed;
  const known = priorities[0] === undefined ? undefined : directory.known(priorities[0][0]);
  if (known !== undefined)
    requireSuccess(await lanes.send(known.lane, { kind: 'SetBindingPriorities', of, owner, id, priorities }));
  return { status: 200, body: [kind.view(directory, entry!)] };
}

interface Deleted {
  readonly succeeded: string[];
  readonly failed: { readonly owner: string; readonly id: string; readonly jackpots: string[] }[];
}

/** Deletes entries without jackpots. Others fail with their jackpots' ids, missing ones without any. */
export async function deleteEntries<E>(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  kind: BindingKind<E>,
  items: readonly { readonly owner: string; readonly id: string }[],
): Promise<Deleted> {
  const { directory } = context;
  const entries = kind.entries(directory);
  const failures = await inParallel(items, async ({ owner, id }) => {
    const isVisible =
      isOwnerPath(owner) &&
      isForeignId(id) &&
      authorize(principal, 'configure', owner) === 'allowed' &&
      entries.has(ownedKey(owner, id));
    const bindings = isVisible ? directory.lanes.bindings(kind.of, owner, id) : [];
    const isRemovable = isVisible && bindings.length === 0;
    const unread = isRemovable ? directory.conditions.unknownFault() : null;
    if (unread !== null) throw new PublicError(unread);
    if (isRemovable && (await removeEntry(context, directoryKey[kind.of](owner, id)))) return null;
    return { owner, id, jackpots: bindings.map(({ instance }) => instance) };
  });
  const deleted = items.filter((_, index) => failures[index] === null);
  await readModelShows(context, () => deleted.every(({ owner, id }) => !entries.has(ownedKey(owner, id))));
  return { succeeded: deleted.map(({ id }) => id), failed: failures.filter((failure) => failure !== null) };
}

/** The jackpots of an entry as they are shown; the owner of an assigned jackpot is the instance's. */
export function jackpotsOf(directory: ReadModel, of: 'source' | 'segment', owner: string, id: string) {
  return directory.lanes.bindings(of, owner, id).map(({ priority, instance }) => ({
    priority,
    owner_id: directory.known(instance)?.description.owner ?? owner,
    instance_id: instance,
  }));
}

/** Entries that exist and whose owner the caller may configure. */
function requireEntries<E>(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  kind: BindingKind<E>,
  { owner, ids }: Pick<Assignment, 'owner' | 'ids'>,
): readonly E[] {
  requireOwner(context, principal, 'configure', owner);
  return ids.map((id) => {
    const entry = kind.entries(context.directory).get(ownedKey(owner, id));
    if (entry === undefined) throw new PublicError(kind.missing);
    return entry;
  });
}

/** An instance that these may lead to, each of which is in its group or in none yet. */
export function requireBindable<E>(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  kind: BindingKind<E>,
  { owner, ids, instance }: Assignment,
  instanceOwner: string | null,
): KnownInstance {
  const known = requireReachable(context, principal, owner, instance, instanceOwner);
  const { group } = known.description;
  if (ids.some((id) => (kind.groupOf(context.directory, owner, id) ?? group) !== group))
    throw new PublicError('group_mismatch');
  return known;
}

/**
 * An instance that the caller may configure (docs/decisions/0210), of the owner's operator or naming brands
 * of the owner. `instanceOwner`: as the caller says; null: not said.
 */
export function requireReachable(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  instance: string,
  instanceOwner: string | null,
): KnownInstance {
  const { directory } = context;
  const known = requireInstance(context, principal, 'configure', instance);
  const isReached =
    operatorOf(known.description.owner) === operatorOf(owner) ||
    directory.allowedBrands(known).some((brand) => isWithin(brand, owner));
  if (!isReached || (instanceOwner !== null && instanceOwner !== known.description.owner))
    throw new PublicError(directory.unknownOr('instance_not_found'));
  return known;
}

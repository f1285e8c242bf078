import { authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import type { ErrorCode } from '../../../../../contracts/errors/codes.ts';
import { isForeignId, isOwnerPath } from '../../../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import { removeEntry } from '../../../directory/write-entries.ts';
import type { ApprovedRequest, GatewayContext } from '../../../operation/operation.ts';
import { type BindingKind, requireBindable } from './bindings.ts';

/** The result of one item of A8 or A14. */
export type Fate = 'succeeded' | 'duplicated' | 'failed';

/** A source or segment that is to be created with these jackpots. */
interface NewItem {
  readonly owner: string;
  readonly id: string;
  readonly jackpots: readonly {
    readonly priority: number;
    readonly owner_id: string;
    readonly instance_id: string;
  }[];
}

/** Refusals of one item that do not concern the others. */
const itemRefusals: ReadonlySet<ErrorCode> = new Set([
  'operator_not_found',
  'brand_not_found',
  'instance_not_found',
  'group_mismatch',
  'config_invalid',
]);

/** `failed` for a refusal of the item. @throws any other error, which ends the request */
export function fateOf(error: unknown): Fate {
  if (error instanceof PublicError && itemRefusals.has(error.code)) return 'failed';
  throw error;
}

/** The items' ids by what became of them, as A8 and A14 answer. */
export function byFate(items: readonly NewItem[], fates: readonly Fate[]): Record<Fate, string[]> {
  const answer: Record<Fate, string[]> = { succeeded: [], duplicated: [], failed: [] };
  items.forEach(({ id }, index) => void answer[fates[index]!].push(id));
  return answer;
}

/** Owners whose rules may ask for a second administrator: of permitted items and of their jackpots. */
export function ownersOfItems(
  { directory }: GatewayContext,
  principal: AdministratorPrincipal,
  items: readonly NewItem[],
): readonly string[] {
  // What is foreign fails as what is missing does, and costs as much.
  const isOwn = (owner: string) => authorize(principal, 'configure', owner) === 'allowed';
  return items.flatMap(({ owner, jackpots }) => {
    if (!isOwnerPath(owner) || !isOwn(owner) || directory.entries.enabled(owner) === null) return [];
    const instances = jackpots.map(({ instance_id }) => directory.known(instance_id));
    return [owner, ...instances.flatMap((known) => known?.description.owner ?? []).filter(isOwn)];
  });
}

/** Why an item cannot be created; null: it can, as far as the gateway sees. */
export function judgeItem<E>(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  kind: BindingKind<E>,
  item: NewItem,
  approved: ApprovedRequest | null,
): Fate | null {
  const { owner, id } = item;
  const { entries } = context.directory;
  if (!isOwnerPath(owner) || !isForeignId(id)) return 'failed';
  if (authorize(principal, 'configure', owner) !== 'allowed' || entries.enabled(owner) === null)
    return 'failed';
  const isLater = approved !== null && approved.attempt > 1;
  if (kind.entries(context.directory).has(ownedKey(owner, id)) && !isLater) return 'duplicated';
  // A segment that another change has put into another group meanwhile is taken back where the binding fails.
  const ids = kind.keepsGroup ? [id] : [];
  try {
    requireOneGroup(
      item.jackpots.map(({ instance_id: instance, owner_id }) =>
        requireBindable(context, principal, kind, { owner, ids, instance }, owner_id),
      ),
    );
    return null;
  } catch (error) {
    return fateOf(error);
  }
}

/** Binds the jackpots of an item that exists by now. */
export async function bindJackpots<E>(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  kind: BindingKind<E>,
  { owner, id, jackpots }: NewItem,
): Promise<void> {
  for (const { instance_id: instance, priority } of jackpots)
    await kind.bind(context, principal, { owner, ids: [id], instance, priority });
}

/**
 * Takes back a partly created item and its bindings. A source stays in its group: a contribution may have
 * been stored by it meanwhile (docs/decisions/0041).
 */
export async function rollBack<E>(
  context: GatewayContext,
  { of }: BindingKind<E>,
  { owner, id, jackpots }: NewItem,
): Promise<void> {
  for (const { instance_id: instance } of jackpots) {
    const lane = context.directory.known(instance)?.lane;
    // Refused where it was never bound.
    if (lane !== undefined)
      await context.lanes.send(lane, { kind: 'Unbind', of, owner, ids: [id], instance });
  }
  await removeEntry(context, directoryKey[of](owner, id));
}

/** The jackpots of one item are checked together, before the first is bound. */
function requireOneGroup(jackpots: readonly KnownInstance[]): void {
  if (new Set(jackpots.map(({ description }) => description.group)).size > 1)
    throw new PublicError('group_mismatch');
}

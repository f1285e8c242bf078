import { authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import type { ErrorCode } from '../../../../../contracts/errors/codes.ts';
import { isOwnerPath } from '../../../../../contracts/fields/identifiers.ts';
import { PublicError } from '../../../../base/errors.ts';
import { removeEntry } from '../../../directory/write-entries.ts';
import type { ApprovedRequest } from '../../../operation/approved-request.ts';
import type { GatewayContext } from '../../../operation/operation.ts';

/** The result of one item of A8 or A14. */
export type Fate = 'succeeded' | 'duplicated' | 'failed';

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
export function byFate(ids: readonly string[], fates: readonly Fate[]): Record<Fate, string[]> {
  const answer: Record<Fate, string[]> = { succeeded: [], duplicated: [], failed: [] };
  ids.forEach((id, index) => void answer[fates[index]!].push(id));
  return answer;
}

interface NewItem {
  readonly owner_id: string;
  readonly jackpots?: readonly { readonly instance_id: string }[] | null | undefined;
}

/** Whose the items are that the caller may create, and the jackpots that they lead to: their rules ask for a second administrator. */
export function ownersOfItems(
  { directory }: Pick<GatewayContext, 'directory'>,
  principal: AdministratorPrincipal,
  items: readonly NewItem[],
): readonly string[] {
  // What is foreign fails as what is missing does, and costs as much.
  const isOwn = (owner: string) => authorize(principal, 'configure', owner) === 'allowed';
  return items.flatMap(({ owner_id: owner, jackpots }) => {
    if (!isOwnerPath(owner) || !isOwn(owner) || directory.entries.enabled(owner) === null) return [];
    const instances = (jackpots ?? []).map(({ instance_id }) => directory.known(instance_id));
    return [owner, ...instances.flatMap((known) => known?.description.owner ?? []).filter(isOwn)];
  });
}

/** Whether an earlier attempt of an approved change may have made some of its items. */
export function isLater(approved: ApprovedRequest | null): boolean {
  return approved !== null && approved.attempt > 1;
}

/**
 * Takes back the entry of a source or segment that could not be created whole, and the bindings of it to these instances.
 * A source stays in its group: a contribution may have been stored by it meanwhile (docs/decisions/0041).
 */
export async function rollBack(
  context: GatewayContext,
  of: 'source' | 'segment',
  owner: string,
  id: string,
  instances: readonly string[],
): Promise<void> {
  for (const instance of instances) {
    const lane = context.directory.known(instance)?.lane;
    // Refused where it was never bound.
    if (lane !== undefined)
      await context.lanes.send(lane, { kind: 'Unbind', of, owner, ids: [id], instance });
  }
  await removeEntry(context, directoryKey[of](owner, id));
}

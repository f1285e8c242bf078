import { directoryKey } from '../../../contracts/directory/directory-keys.ts';
import { brandOf, operatorOf } from '../../../contracts/fields/identifiers.ts';
import { ownedKey } from '../../../directory/owners.ts';
import { readModelHas, updateEntry, type WriteContext } from '../directory/write-entries.ts';
import type { GatewayContext } from '../operation/operation.ts';

interface ClaimedGroup {
  /** The group that the source is in: the one asked for, or the one that it was in before. */
  readonly group: string;
  /** The revision of the directory that says so. */
  readonly revision: number;
}

/**
 * Puts a source into a group for good: its contributions go to the group's lane, where retries find their
 * keys (docs/decisions/0041). Sources of an operator and its brands with one id share a group.
 */
export async function claimSourceGroup(
  context: WriteContext,
  owner: string,
  source: string,
  group: string,
): Promise<ClaimedGroup> {
  const operator = operatorOf(owner);
  const brand = brandOf(owner);
  let found = group;
  const key = directoryKey.sourceGroup(operator, source);
  const revision = await updateEntry(context, 'sourcegroup', key, (current) => {
    const own = current?.group ?? '';
    const brands: Readonly<Record<string, string>> = current?.brands ?? {};
    const other = Object.values(brands).find((each) => each !== group);
    const known = own !== '' ? own : brand !== null ? (brands[brand] ?? '') : (other ?? '');
    found = known === '' ? group : known;
    if (known !== '') return null;
    return brand === null ? { group, brands } : { group: own, brands: { ...brands, [brand]: group } };
  });
  return { group: found, revision };
}

/**
 * Whether a source without a group may resolve by the player's segment. Then it needs a group first: a retry
 * must reach the same lane.
 */
export function needsGroup(
  { directory }: Pick<GatewayContext, 'directory'>,
  brand: string,
  source: string,
  segments: readonly string[],
): boolean {
  if (segments.length === 0) return false;
  const { entries } = directory;
  if (entries.sourceGroup(brand, source) !== undefined) return false;
  return [brand, operatorOf(brand)].some((owner) =>
    segments.some((segment) => entries.segments.has(ownedKey(owner, segment))),
  );
}

/** Puts the brand's source into its operator's own group, unless another gateway was faster. */
export async function settleGroup(context: GatewayContext, brand: string, source: string): Promise<void> {
  const { revision } = await claimSourceGroup(context, brand, source, operatorOf(brand));
  await readModelHas(context, revision);
}

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
 * Puts a source into a group for good if it has none: its contributions go to the group's lane, and a retry must find
 * its idempotency key there, whatever was bound since (docs/decisions/0041). A source of an operator and those of its
 * brands with the same id share one group, because contributions of brands resolve to both.
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
 * Whether a contribution by a source without a group may resolve by a segment of the player. Then the source needs a
 * group first: a retry must reach the same lane, whatever is bound later.
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

/** Puts the brand's source into its operator's own group, unless somebody was faster. */
export async function settleGroup(context: GatewayContext, brand: string, source: string): Promise<void> {
  const { revision } = await claimSourceGroup(context, brand, source, operatorOf(brand));
  await readModelHas(context, revision);
}

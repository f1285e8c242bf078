import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { isWithin } from '../../../../../contracts/fields/identifiers.ts';
import { type ListQuery, matchesName, pageOf } from '../../../../../contracts/fields/lists.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { allOf, type ListScope, named, sortedPage } from '../../../../../directory/sorted-page.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { listScope } from '../../list-scope.ts';

interface Query extends ListQuery {
  readonly sort_field?: keyof typeof sortValues | undefined;
  readonly owner_id?: string | undefined;
  readonly status?: string | undefined;
  readonly name?: string | undefined;
}

const sortValues = {
  id: ({ description }: KnownInstance) => description.instance,
  name: ({ description }: KnownInstance) => description.name,
  owner_id: ({ description }: KnownInstance) => description.owner,
  status: ({ status }: KnownInstance) => status,
  created: ({ description }: KnownInstance) => description.createdMs,
  last_updated: ({ latest }: KnownInstance) => latest.lastUpdatedMs,
};

/** The instances of a page of A19; `ids` null: of all. */
export async function pageOfInstances(
  { directory: { lanes } }: Pick<GatewayContext, 'directory'>,
  principal: AdministratorPrincipal,
  query: Query,
  ids: ReadonlySet<string> | null,
): Promise<readonly KnownInstance[]> {
  const { instances } = lanes;
  const { status, owner_id, name } = query;
  const scope = listScope(principal, owner_id, ({ description }: KnownInstance) => description.owner);
  const hasStatus = (known: KnownInstance) => known.status === status;
  const matches = allOf(scope.matches, status === undefined ? null : hasStatus);
  if (ids === null) return sortedPage(instances, 'id', query, { ...scope, matches, text: named(name) });
  const wanted = [...ids].flatMap((id) => instances.get(id) ?? []);
  return pageOf(
    wanted.filter(
      (known) =>
        scopeHas(scope, known) &&
        (matches === null || matches(known)) &&
        matchesName(known.description.name, name),
    ),
    query,
    ({ description }) => description.instance,
    sortValues,
  );
}

/** A scope's own filter does not repeat that its group is asked for. */
function scopeHas({ group }: ListScope<KnownInstance>, { description }: KnownInstance): boolean {
  return group === null || isWithin(description.owner, group);
}

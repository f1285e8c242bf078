import type { AdministratorAnswer, LoginChoices } from './client.ts';

/** Choices of a list of what waits for a decision. */
export interface AdminListChoices extends LoginChoices {
  readonly state?: string;
  readonly kind?: string;
  readonly owner?: string;
  readonly brand?: string;
  readonly instance?: string;
  readonly sort: string;
  readonly descending?: boolean;
  readonly limit: number;
  readonly page: number;
  readonly json?: boolean;
}

/** The query of such a list; `sortFields` gives the gateway's names of the orders. */
export function adminListQuery(
  choices: AdminListChoices,
  sortFields: Readonly<Record<string, string>>,
): string {
  const { state, kind, owner, brand, instance, sort, descending, limit, page } = choices;
  const query = new URLSearchParams({
    sort_field: sortFields[sort]!,
    limit: String(limit),
    page: String(page),
  });
  const filters = { state, kind, owner_id: owner, brand_id: brand, instance_id: instance };
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  if (descending === true) query.set('sort_direction', '-1');
  return query.toString();
}

/** What to say of a decision that waits for a second administrator; null: it was made. */
export function proposalText({ headers }: Pick<AdministratorAnswer, 'headers'>): string | null {
  const id = headers.get('x-approval-id');
  return id === null ? null : `Proposed. A second administrator approves it: ${id}`;
}

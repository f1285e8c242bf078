import * as z from 'zod';
import type { AdministratorAccount } from '../../../../access/accounts/account-entries.ts';
import { everyOwner, managesOwners } from '../../../../access/accounts/administrator-rights.ts';
import { administrator } from '../../../../contracts/accounts/users.ts';
import { ownerField } from '../../../../contracts/fields/identifier-fields.ts';
import { isWithin } from '../../../../contracts/fields/identifiers.ts';
import { listQuery } from '../../../../contracts/fields/lists.ts';
import { sortedPage } from '../../../../directory/sorted-page.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requireOwner } from '../admin/shared/owner-access.ts';
import { administratorView } from './administrator-view.ts';

/** Administrators whose owners are all within the caller's, in pages. A filter by operator covers its brands. */
export const listAdministratorsOperation = defineOperation({
  id: 'users.list',
  name: 'List administrators',
  method: 'GET',
  path: '/config/users',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: {
    query: listQuery(['username', 'created_timestamp', 'last_login_timestamp'], {
      owner_id: ownerField.optional(),
    }),
  },
  output: z.array(administrator),
  refusals: [404],
  async handle({ principal, query }, context) {
    const { access } = context;
    const { owner_id } = query;
    if (owner_id !== undefined) requireOwner(context, principal, 'secure', owner_id);
    const isShown = ({ owners }: AdministratorAccount) =>
      managesOwners(principal, owners) &&
      (owner_id === undefined || owners.some((owner) => isWithin(owner, owner_id)));
    const isWhole = owner_id === undefined && managesOwners(principal, [everyOwner]);
    const scope = { group: null, matches: isWhole ? null : isShown };
    const page = await sortedPage(access.sortedUsers.administrator, 'username', query, scope);
    return { status: 200, body: page.map((account) => administratorView(access, account)) };
  },
});

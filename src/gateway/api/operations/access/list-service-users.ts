import * as z from 'zod';
import type { ServiceAccount } from '../../../../access/accounts/account-entries.ts';
import { serviceUser } from '../../../../contracts/accounts/users.ts';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { listQuery } from '../../../../contracts/fields/lists.ts';
import { sortedPage } from '../../../../directory/sorted-page.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requireOwner } from '../admin/shared/owner-access.ts';
import { listScope } from '../list-scope.ts';
import { serviceUserView } from './service-user-view.ts';

/** Service users of the operators that the caller may see, in pages, without secrets. */
export const listServiceUsersOperation = defineOperation({
  id: 'service-users.list',
  name: 'List service users',
  method: 'GET',
  path: '/config/service-users',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: {
    query: listQuery(['username', 'operator_id', 'created_timestamp', 'last_login_timestamp'], {
      operator_id: ownIdField.optional(),
    }),
  },
  output: z.array(serviceUser),
  refusals: [404],
  async handle({ principal, query }, context) {
    const { access } = context;
    if (query.operator_id !== undefined) requireOwner(context, principal, 'secure', query.operator_id);
    const ownerOf = ({ operator_id }: ServiceAccount) => operator_id;
    const scope = listScope(principal, query.operator_id, ownerOf, 'secure');
    const page = await sortedPage(access.sortedUsers.service, 'username', query, scope);
    return { status: 200, body: page.map((account) => serviceUserView(access, account)) };
  },
});

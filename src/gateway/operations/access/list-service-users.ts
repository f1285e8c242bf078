import * as z from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { serviceUser } from '../../../contracts/access.ts';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import { listQuery, pageOf } from '../../../contracts/lists.ts';
import { defineOperation } from '../../operation.ts';
import { requireOwner } from '../admin/shared/owner-access.ts';
import { serviceUserView } from './service-user-view.ts';

/** Service users of the operators that the caller may see, in pages, without secrets. */
export const listServiceUsers = defineOperation({
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
    const shown = access.accounts
      .list('service')
      .filter((account) => authorize(principal, 'secure', account.operator_id) === 'allowed')
      .filter((account) => query.operator_id === undefined || account.operator_id === query.operator_id);
    const page = pageOf(shown, query, ({ username }) => username, {
      operator_id: ({ operator_id }) => operator_id,
      created_timestamp: ({ created }) => created,
      last_login_timestamp: (account) => access.lastLogins.of('service', account) ?? 0,
    });
    return { status: 200, body: page.map((account) => serviceUserView(access, account)) };
  },
});

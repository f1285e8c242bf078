import * as z from 'zod';
import { managesOwners } from '../../../access/administrator-rights.ts';
import { administrator } from '../../../contracts/access.ts';
import { ownerField } from '../../../contracts/identifier-fields.ts';
import { isWithin } from '../../../contracts/identifiers.ts';
import { listQuery, pageOf } from '../../../contracts/lists.ts';
import { defineOperation } from '../../operation.ts';
import { requireOwner } from '../admin/shared/owner-access.ts';
import { administratorView } from './administrator-view.ts';

/** Administrators whose owners are all within the caller's, in pages. A filter by operator covers its brands. */
export const listAdministrators = defineOperation({
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
    const shown = access.accounts
      .list('administrator')
      .filter(
        ({ owners }) =>
          managesOwners(principal, owners) &&
          (owner_id === undefined || owners.some((owner) => isWithin(owner, owner_id))),
      );
    const page = pageOf(shown, query, ({ username }) => username, {
      created_timestamp: ({ created }) => created,
      last_login_timestamp: (account) => access.lastLogins.of('administrator', account) ?? 0,
    });
    return { status: 200, body: page.map((account) => administratorView(access, account)) };
  },
});

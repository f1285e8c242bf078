import * as z from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { serviceUser } from '../../../contracts/access.ts';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import { listQuery, pageOf } from '../../../contracts/lists.ts';
import { defineOperation } from '../../operation.ts';
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
    query: listQuery(['username', 'operator_id', 'created_timestamp'], {
      operator_id: ownIdField.optional(),
    }),
  },
  output: z.array(serviceUser),
  async handle({ principal, query }, { access }) {
    const shown = access.accounts
      .list('service')
      .filter((account) => authorize(principal, 'secure', account.operator_id) === 'allowed')
      .filter((account) => query.operator_id === undefined || account.operator_id === query.operator_id)
      .map(serviceUserView);
    const page = pageOf(shown, query, ({ username }) => username, {
      operator_id: ({ operator_id }) => operator_id,
      created_timestamp: ({ created_timestamp }) => created_timestamp,
    });
    return { status: 200, body: page };
  },
});

import * as z from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { serviceUser } from '../../../contracts/access.ts';
import { defineOperation } from '../../operation.ts';
import { serviceUserView } from './service-user-view.ts';

const pageField = z.string().regex(/^[0-9]{1,9}$/);

/** http.md, "service users": those of the operators that the caller is scoped to, by name. */
export const listServiceUsers = defineOperation({
  id: 'service-users.list',
  name: 'List service users',
  method: 'GET',
  path: '/config/service-users',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: {
    query: z.strictObject({
      operator_id: z.string().optional(),
      page: pageField.optional(),
      limit: pageField.optional(),
    }),
  },
  output: z.array(serviceUser),
  async handle({ principal, query }, { access }) {
    const limit = Math.min(500, Math.max(1, Number(query.limit ?? '50')));
    const from = Number(query.page ?? '0') * limit;
    const shown = access.accounts
      .list('service')
      .filter((account) => authorize(principal, 'secure', account.operator_id) === 'allowed')
      .filter((account) => query.operator_id === undefined || account.operator_id === query.operator_id);
    return { status: 200, body: shown.slice(from, from + limit).map(serviceUserView) };
  },
});

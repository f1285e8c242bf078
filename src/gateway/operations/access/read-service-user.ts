import * as z from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { serviceUser, usernameField } from '../../../contracts/access.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { serviceUserView } from './service-user-view.ts';

/** One service user, without secrets. A foreign one is `user_not_found`. */
export const readServiceUser = defineOperation({
  id: 'service-users.read',
  name: 'Read a service user',
  method: 'GET',
  path: '/config/service-users/{username}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }) },
  output: serviceUser,
  async handle({ principal, params }, { access }) {
    const account = access.accounts.find('service', params.username);
    if (account === undefined || authorize(principal, 'secure', account.operator_id) !== 'allowed') {
      throw new PublicError('user_not_found');
    }
    return { status: 200, body: serviceUserView(account) };
  },
});

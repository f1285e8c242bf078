import * as z from 'zod';
import { serviceUser, usernameField } from '../../../../contracts/accounts/users.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requireServiceUser } from './require-service-user.ts';
import { serviceUserView } from './service-user-view.ts';

/** One service user, without secrets. A foreign one is `user_not_found`. */
export const readServiceUserOperation = defineOperation({
  id: 'service-users.read',
  name: 'Read a service user',
  method: 'GET',
  path: '/config/service-users/{username}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }) },
  output: serviceUser,
  refusals: [404],
  async handle({ principal, params }, { access }) {
    const account = requireServiceUser({ access }, principal, params.username);
    return { status: 200, body: serviceUserView(access, account) };
  },
});

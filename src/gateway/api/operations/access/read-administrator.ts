import * as z from 'zod';
import { administrator, usernameField } from '../../../../contracts/accounts/users.ts';
import { defineOperation } from '../../operation/operation.ts';
import { administratorView } from './administrator-view.ts';
import { requireAdministrator } from './require-administrator.ts';

/** One administrator. One with an owner that is foreign to the caller is `user_not_found`. */
export const readAdministratorOperation = defineOperation({
  id: 'users.read',
  name: 'Get an administrator',
  method: 'GET',
  path: '/config/users/{username}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }) },
  output: administrator,
  refusals: [404],
  async handle({ principal, params }, { access }) {
    const account = requireAdministrator({ access }, principal, params.username);
    return { status: 200, body: administratorView(access, account) };
  },
});

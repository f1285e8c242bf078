import * as z from 'zod';
import { usernameField } from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requireServiceUser } from './require-service-user.ts';

/** Removes a service user with its keys; its tokens end at once. A foreign one is `user_not_found`. */
export const removeServiceUserOperation = defineOperation({
  id: 'service-users.remove',
  name: 'Remove a service user',
  method: 'DELETE',
  path: '/config/service-users/{username}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }) },
  output: 'empty',
  refusals: [404],
  async handle({ principal, params }, { access }) {
    const { username } = requireServiceUser({ access }, principal, params.username);
    if (!(await stored(() => access.accounts.remove('service', username))))
      throw new PublicError('user_not_found');
    await stored(() => access.requestKeys.removeAll(username));
    await stored(() => access.lastLogins.forget('service', username));
    return { status: 204 };
  },
});

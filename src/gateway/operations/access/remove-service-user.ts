import * as z from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { usernameField } from '../../../contracts/access.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { storedAccount } from './stored-account.ts';

/** Removes a service user with its keys; its tokens end at once. A foreign one is `user_not_found`. */
export const removeServiceUser = defineOperation({
  id: 'service-users.remove',
  name: 'Remove a service user',
  method: 'DELETE',
  path: '/config/service-users/{username}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }) },
  output: 'empty',
  async handle({ principal, params }, { access }) {
    const account = access.accounts.find('service', params.username);
    if (
      account === undefined ||
      authorize(principal, 'secure', account.operator_id) !== 'allowed' ||
      !(await storedAccount(() => access.accounts.remove('service', params.username)))
    ) {
      throw new PublicError('user_not_found');
    }
    await storedAccount(() => access.requestKeys.removeAll(params.username));
    return { status: 204 };
  },
});

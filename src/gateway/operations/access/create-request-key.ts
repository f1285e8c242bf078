import * as z from 'zod';
import { requestKey, usernameField } from '../../../contracts/access.ts';
import { defineOperation } from '../../operation.ts';
import { stored } from '../../stored.ts';
import { requireServiceUser } from './require-service-user.ts';

/**
 * A key for signed requests; its secret is shown this once. Two of a user live; a third ends the oldest.
 * docs/rules/http.md "Callers"
 */
export const createRequestKey = defineOperation({
  id: 'service-users.keys',
  name: 'Create a signing key of a service user',
  method: 'POST',
  path: '/config/service-users/{username}/keys',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }) },
  output: requestKey,
  refusals: [404],
  status: 201,
  async handle({ principal, params }, { access }) {
    const account = requireServiceUser({ access }, principal, params.username);
    const { keyId, secret } = await stored(() => access.requestKeys.create(account));
    return { status: 201, body: { key_id: keyId, secret } };
  },
});

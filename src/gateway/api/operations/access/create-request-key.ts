import * as z from 'zod';
import { isAcceptableSecret } from '../../../../access/keys/webhook-secrets.ts';
import { newRequestKey, requestKey, usernameField } from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { authorOrProposed, isRuled } from '../../approvals/accounts.ts';
import { defineOperation } from '../../operation/operation.ts';
import { requireServiceUser } from './require-service-user.ts';

/**
 * A key for signed requests; its secret is shown this once, or brought by the caller. Two of a user live; a third ends the oldest. Waits for a
 * second administrator under the four-eyes rule: then the caller brings the secret, because an approval shows none.
 * docs/rules/approvals.md "Accounts"
 */
export const createRequestKeyOperation = defineOperation({
  id: 'service-users.keys',
  name: 'Create a signing key of a service user',
  method: 'POST',
  path: '/config/service-users/{username}/keys',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ username: usernameField }), body: newRequestKey },
  output: requestKey,
  refusals: [404],
  status: 201,
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    const { access } = context;
    const account = requireServiceUser({ access }, principal, params.username);
    const given = body?.secret ?? null;
    if (given !== null && !isAcceptableSecret(given)) throw new PublicError('secret_too_weak');
    const owners = [account.operator_id];
    if (given === null && approved === null && (await isRuled(context, owners)))
      throw new PublicError(
        'invalid_request',
        'Under the four-eyes rule the request brings the secret of the key.',
      );
    const author = await authorOrProposed(context, request, { owners });
    if ('status' in author) return author;
    const key = { secret: given, approval: approved?.id ?? null };
    const { keyId, secret } = await stored(() => access.requestKeys.create(account, key));
    return { status: 201, body: { key_id: keyId, ...(given === null ? { secret } : {}) } };
  },
});

import { isAcceptableSecret } from '../../../../access/keys/webhook-secrets.ts';
import { authorize } from '../../../../access/rights/authorize.ts';
import { webhookSignature, webhookSignatureStored } from '../../../../contracts/directory/webhook.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { requireOperator, scopedBrand } from '../../contribution/brand-scope.ts';
import { defineOperation } from '../../operation/operation.ts';

/**
 * O1: stores the secret that signs what is sent to an operator, or to one of its brands, whose own comes
 * first. A service of some brands sets theirs only (`forbidden`). docs/rules/callbacks.md "Signatures"
 */
export const registerWebhookSignatureOperation = defineOperation({
  id: 'O1',
  name: 'Register webhook signature',
  route: 'PUT /v1/webhooks/signature',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: webhookSignature },
  output: webhookSignatureStored,
  refusals: [403, 404],
  async handle({ principal, body }, { access, directory, clock }) {
    const { operator_id: operator, brand_id, secret_key } = body;
    requireOperator(principal, operator);
    const named = brand_id ?? null;
    // A service of some brands must not replace what signs the messages of all of them.
    if (named === null && authorize(principal, 'sign', operator) !== 'allowed')
      throw new PublicError('forbidden');
    const known = directory.operator(operator);
    if (known === undefined) throw new PublicError('operator_not_found');
    if (!known.enabled) throw new PublicError('owner_disabled');
    const owner = named === null ? operator : scopedBrand(directory, principal, named).path;
    if (!isAcceptableSecret(secret_key)) throw new PublicError('secret_too_weak');
    await stored(() => access.webhookSecrets.set(owner, secret_key, clock.nowMs()));
    return { status: 200, body: { status_code: 200, code: 'ok', message: 'The signature is registered.' } };
  },
});

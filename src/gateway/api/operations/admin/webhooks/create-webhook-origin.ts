import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { webhookOrigin } from '../../../../../contracts/directory/webhook.ts';
import { parseOrigin } from '../../../../../network/endpoint.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { readModelHas, updateEntry } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireOwner } from '../shared/owner-access.ts';

const maxOrigins = 200;

/**
 * Registers an origin that callbacks and diversions may go to; at most 200 of an operator. Answers with its canonical form: lower
 * case, no default port. `endpoint_not_allowed`, `already_exists`. Under the four-eyes rule it needs a second administrator.
 */
export const createWebhookOriginOperation = defineOperation({
  id: 'webhook-origins.create',
  name: 'Register a webhook origin',
  method: 'POST',
  path: '/config/webhook-origins',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { body: webhookOrigin },
  output: webhookOrigin,
  refusals: [404, 409],
  status: 201,
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, approved } = request;
    const operator = body.operator_id;
    requireOwner(context, principal, 'secure', operator);
    const origin = parseOrigin(body.origin, context.development);
    if (origin === null) throw new PublicError('endpoint_not_allowed');
    const answer = { status: 201, body: { operator_id: operator, origin } };
    const isKnown = context.directory.allowsWebhook(operator, origin);
    if (isKnown && approved !== null && approved.attempt > 1) return answer;
    if (isKnown) throw new PublicError('already_exists');
    const proposed = await proposedChange(context, request, operator);
    if (proposed !== null) return proposed;
    const key = directoryKey.webhookOrigins(operator);
    const revision = await updateEntry(context, 'webhookorigins', key, (current) => {
      const origins = current?.origins ?? [];
      if (origins.includes(origin)) throw new PublicError('already_exists');
      if (origins.length >= maxOrigins)
        throw new PublicError('config_invalid', 'The operator has too many webhook origins.');
      return { origins: [...origins, origin] };
    });
    await readModelHas(context, revision);
    return answer;
  },
});

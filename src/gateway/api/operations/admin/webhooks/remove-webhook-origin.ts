import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { webhookOrigin } from '../../../../../contracts/directory/webhook.ts';
import { parseOrigin } from '../../../../../network/endpoint.ts';
import { readModelHas, updateEntry } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireOwner } from '../shared/owner-access.ts';

/** Removes an origin. One that is not registered is no fault. */
export const removeWebhookOriginOperation = defineOperation({
  id: 'webhook-origins.remove',
  name: 'Remove a webhook origin',
  method: 'DELETE',
  path: '/config/webhook-origins',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { body: webhookOrigin },
  output: 'empty',
  refusals: [404],
  async handle({ principal, body }, context) {
    const operator = body.operator_id;
    requireOwner(context, principal, 'secure', operator);
    const origin = parseOrigin(body.origin, true) ?? body.origin;
    const key = directoryKey.webhookOrigins(operator);
    const revision = await updateEntry(context, 'webhookorigins', key, (current) =>
      current?.origins.includes(origin)
        ? { origins: current.origins.filter((each) => each !== origin) }
        : null,
    );
    await readModelHas(context, revision);
    return { status: 204 };
  },
});

import * as z from 'zod';
import { ownIdField } from '../../../../contracts/identifier-fields.ts';
import { listQuery, pageOf } from '../../../../contracts/lists.ts';
import { webhookOrigin } from '../../../../contracts/webhook.ts';
import { defineOperation } from '../../../operation.ts';
import { mayRead, requireOwner } from '../shared/owner-access.ts';

/** Origins that callbacks of an operator may go to, in pages, of the operators that the caller may see. */
export const listWebhookOrigins = defineOperation({
  id: 'webhook-origins.list',
  name: 'List webhook origins',
  method: 'GET',
  path: '/config/webhook-origins',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { query: listQuery(['operator_id', 'origin'], { operator_id: ownIdField.optional() }) },
  output: z.array(webhookOrigin),
  refusals: [404],
  async handle({ principal, query }, context) {
    if (query.operator_id !== undefined) requireOwner(context, principal, 'read', query.operator_id);
    const shown = [...context.directory.entries.webhookOrigins.values()]
      .filter(({ operator }) => query.operator_id === undefined || operator === query.operator_id)
      .filter(({ operator }) => mayRead(principal, operator))
      .flatMap(({ operator, origins }) => origins.map((origin) => ({ operator_id: operator, origin })));
    const page = pageOf(shown, query, (each) => `${each.operator_id} ${each.origin}`, {
      operator_id: (each) => each.operator_id,
      origin: (each) => each.origin,
    });
    return { status: 200, body: page };
  },
});

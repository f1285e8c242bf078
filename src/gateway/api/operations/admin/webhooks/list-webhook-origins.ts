import * as z from 'zod';
import { webhookOrigin } from '../../../../../contracts/directory/webhook.ts';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { listQuery, pageOf } from '../../../../../contracts/fields/lists.ts';
import type { DirectoryEntries, WebhookOrigin } from '../../../../../directory/owners.ts';
import { sortedPage } from '../../../../../directory/sorted-page.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { listScope } from '../../list-scope.ts';
import { requireOwner } from '../shared/owner-access.ts';

/** Origins that callbacks of an operator may go to, in pages, of the operators that the caller may see. */
export const listWebhookOriginsOperation = defineOperation({
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
    const scope = listScope(principal, query.operator_id, (row: WebhookOrigin) => row.operator_id);
    const { entries } = context.directory;
    const page =
      scope.group === null
        ? await sortedPage(entries.webhookOriginRows, 'operator_id', query, scope)
        : pageOf(
            originsOf(entries, scope.group).filter(scope.matches ?? (() => true)),
            query,
            ({ origin }) => origin,
          );
    return { status: 200, body: [...page] };
  },
});

/** At most 200 (`maxOrigins`). */
function originsOf(entries: DirectoryEntries, operator: string): WebhookOrigin[] {
  const origins = entries.webhookOrigins.get(operator)?.origins ?? [];
  return origins.map((origin) => ({ operator_id: operator, origin }));
}

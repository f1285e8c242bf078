import * as z from 'zod';
import { directoryKey } from '../../../../contracts/directory/directory-keys.ts';
import { webhookOrigin } from '../../../../contracts/directory/webhook.ts';
import { cursorQuery, operatorFilter } from '../../../../contracts/fields/lists.ts';
import type { DirectoryEntries, WebhookOrigin } from '../../../../directory/owners.ts';
import { parseOrigin } from '../../../../network/endpoint.ts';
import { PublicError } from '../../../base/errors.ts';
import { proposedChange } from '../../approvals/propose.ts';
import { readModelHas, updateEntry } from '../../directory/write-entries.ts';
import { defineChange, defineRead } from '../../operation/operation.ts';
import { listed, listedItems, listHeaders, listScope, operatorIn } from '../lists.ts';
import { requireOwner } from './shared/owner-access.ts';

/** Origins that callbacks of an operator may go to, in pages, of the operators that the caller may see. */
export const listWebhookOriginsOperation = defineRead('read', {
  id: 'webhook-origins.list',
  name: 'List webhook origins',
  route: 'GET /config/webhook-origins',
  input: { query: cursorQuery(['operator_id', 'origin'], operatorFilter) },
  output: z.array(webhookOrigin),
  refusals: [404],
  answerHeaders: listHeaders,
  async handle({ principal, query }, context) {
    const operator = operatorIn(query);
    if (operator !== undefined) requireOwner(context, principal, 'read', operator);
    const scope = listScope(principal, operator, (row: WebhookOrigin) => row.operator_id);
    const { entries } = context.directory;
    const { page, headers } =
      scope.group === null
        ? await listed(entries.webhookOriginRows, 'operator_id', query, scope)
        : await listedItems(
            originsOf(entries, scope.group).filter(scope.matches ?? (() => true)),
            'operator_id',
            query,
            ({ origin }) => origin,
          );
    return { status: 200, headers, body: [...page] };
  },
});

/** At most 200 (`maxOrigins`). */
function originsOf(entries: DirectoryEntries, operator: string): WebhookOrigin[] {
  const origins = entries.webhookOrigins.get(operator)?.origins ?? [];
  return origins.map((origin) => ({ operator_id: operator, origin }));
}

const maxOrigins = 200;

/**
 * Registers an origin that callbacks and diversions may go to, at most 200 of an operator. Answers with its
 * canonical form: lower case, no default port.
 */
export const createWebhookOriginOperation = defineChange('secure', {
  id: 'webhook-origins.create',
  name: 'Register a webhook origin',
  route: 'POST /config/webhook-origins',
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

/** Removes an origin. One that is not registered is no fault. */
export const removeWebhookOriginOperation = defineChange('secure', {
  id: 'webhook-origins.remove',
  name: 'Remove a webhook origin',
  route: 'DELETE /config/webhook-origins',
  input: { body: webhookOrigin },
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

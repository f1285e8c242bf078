import * as z from 'zod';
import { directoryKey } from '../../../contracts/directory-keys.ts';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import { listQuery, pageOf } from '../../../contracts/lists.ts';
import { webhookOrigin } from '../../../contracts/webhook.ts';
import { parseOrigin } from '../../../lib/endpoint.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { mayRead, requireOwner } from './owner-access.ts';
import { replicaHas, updateEntry } from './write-directory.ts';

const path = '/config/webhook-origins';
const mostOrigins = 200;

/** http.md, "webhook origins": those of the operators that the caller may see. */
export const listWebhookOrigins = defineOperation({
  id: 'webhook-origins.list',
  name: 'List webhook origins',
  method: 'GET',
  path,
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { query: listQuery(['operator_id', 'origin'], { operator_id: ownIdField.optional() }) },
  output: z.array(webhookOrigin),
  async handle({ principal, query }, { directory }) {
    const shown = [...directory.entries.webhookOrigins.values()]
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

/** Answers with the origin in its canonical form: lower case, no default port. */
export const createWebhookOrigin = defineOperation({
  id: 'webhook-origins.create',
  name: 'Register a webhook origin',
  method: 'POST',
  path,
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { body: webhookOrigin },
  output: webhookOrigin,
  status: 201,
  async handle({ principal, body }, context) {
    const operator = body.operator_id;
    requireOwner(context, principal, 'secure', operator);
    const origin = parseOrigin(body.origin, context.development);
    if (origin === null) throw new PublicError('endpoint_not_allowed');
    const key = directoryKey.webhookOrigins(operator);
    const revision = await updateEntry(context, 'webhookorigins', key, (current) => {
      const origins = current?.origins ?? [];
      if (origins.includes(origin)) throw new PublicError('already_exists');
      if (origins.length >= mostOrigins)
        throw new PublicError('config_invalid', 'The operator has too many webhook origins.');
      return { origins: [...origins, origin] };
    });
    await replicaHas(context, revision);
    return { status: 201, body: { operator_id: operator, origin } };
  },
});

/** An origin that is not registered is as good as removed. */
export const removeWebhookOrigin = defineOperation({
  id: 'webhook-origins.remove',
  name: 'Remove a webhook origin',
  method: 'DELETE',
  path,
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { body: webhookOrigin },
  output: 'empty',
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
    await replicaHas(context, revision);
    return { status: 204 };
  },
});

import { errorResponses, errorSchemas } from './errors.ts';
import type { OperationDescription } from './operation-description.ts';
import { operationObject, parameterComponents, tags } from './path-item.ts';
import { refusalResponses } from './refusals.ts';

/** The OpenAPI 3.1 document of the operations, made of the very shapes that validate them. */
export function openApi(
  operations: readonly OperationDescription[],
  version: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const ids = operationIds(operations);
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(operation, ids.get(operation) ?? operation.id);
    paths[operation.path] = item;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Potstream', version, description: apiDescription },
    servers: [{ url: '/' }],
    tags,
    paths: { ...paths, ...probes },
    components: {
      schemas: errorSchemas(),
      responses: errorResponses(),
      parameters: parameterComponents,
      headers,
      securitySchemes,
    },
  };
}

/** From the name: `List instances` → `list-instances`. */
function operationIds(
  operations: readonly OperationDescription[],
): ReadonlyMap<OperationDescription, string> {
  return new Map(
    operations.map((operation) => [
      operation,
      `${operation.id}-${operation.name}`
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, ''),
    ]),
  );
}

const apiDescription = `Jackpots and raffles for online operators.

JSON in and out. Amounts are numbers, read as doubles and rounded half up to 8 decimals, or decimal strings with at most 8, which are exact; answers are exact. Unknown members of a body are \
refused; null and absent are the same. Every error has the shape {status_code, code, message}. The event feeds are described by \
/v1/asyncapi.json.`;

const text = (what: string) => ({ description: what, schema: { type: 'string' } });
const headers = {
  'X-Request-Id': text('New for every answer.'),
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 0 } },
  Allow: text('The methods of the route.'),
  ETag: text('For If-None-Match, while nothing changes.'),
  Location: text('Where the browser goes next.'),
  'Set-Cookie': text(
    'The session of a page: `__Host-potstream`, HttpOnly, Secure, SameSite=Strict. A log-in that has gone to an identity provider: `__Host-potstream-login`.',
  ),
  'X-Approval-Id': text('Names the approval at /config/approvals.'),
  'X-Unread-From': text(
    'Where the list stopped looking, in milliseconds; absent where it looked at everything.',
  ),
  'X-Configuration-Warnings': text(
    'What the configuration costs or risks; absent where there is nothing to say.',
  ),
  'X-Incomplete': text(
    'Lanes that do not serve, as `lanes 0,3`: what lives there is missing in the list, or is shown as it was last known. Of the books: `lanes 0,3 until 2026-11-29T18:19:45.000Z`, which they follow half a minute or more behind; `contribution` and its id, which was waited for and is not there yet.',
  ),
  'X-As-Of': text(
    'The last message of each lane that the books have, and its time in milliseconds, as `0;sequence=4711;time=1767225600000, 1;…`; of more than 64 lanes those that are furthest back.',
  ),
  'X-Next-Cursor': text('The `cursor` of the next page; absent: there are no more rows.'),
  'X-Total-Count': text(
    'Rows of the list, with its first page; `10000+` above 10,000; absent where nobody has counted them.',
  ),
  'X-Contribution-Id': text('UUID of the contribution.'),
  'X-Instance-Id': text('The instance that received it.'),
  'X-Timestamp': { description: 'Milliseconds since the epoch.', schema: { type: 'integer' } },
  'X-Win-Amount': text('An exact decimal; 0 without a win.'),
  'X-Win-Currency': text("The jackpot's currency."),
  'X-Win-Pot-Id': text('Only with a win.'),
  'X-Tickets-Awarded': { description: 'Raffle tickets.', schema: { type: 'integer' } },
};

const securitySchemes = {
  service: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /v1/auth/service, 15 minutes.',
  },
  administrator: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /auth/admin, 15 minutes.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-potstream',
    description: 'From POST /auth/admin/session. A change needs Sec-Fetch-Site: same-origin, and JSON.',
  },
  player_token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Player-Token',
    description: "A player's session token.",
  },
  signed_request: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description:
      'For operators that sign: `v1=` and the hex HMAC-SHA-256 over method, path and query, timestamp, nonce and the hex SHA-256 of ' +
      'the body, joined by line feeds; beside it X-Key-Id, X-Timestamp (milliseconds) and X-Nonce.',
  },
};

const health = {
  type: 'object',
  properties: { status: { type: 'string', const: 'ok' } },
  required: ['status'],
  additionalProperties: false,
};
const healthy = { description: 'Yes.', content: { 'application/json': { schema: health } } };
const readiness = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ok', 'degraded'] },
    lanes: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          lane: { type: 'integer' },
          condition: { type: 'string', enum: ['full', 'stopped', 'starting', 'silent'] },
          code: { type: 'string' },
        },
        required: ['lane', 'condition', 'code'],
        additionalProperties: false,
      },
    },
    details: {
      type: 'array',
      items: { type: 'string' },
      description: 'One line for each part that does not work.',
    },
  },
  required: ['status'],
  additionalProperties: false,
};
const ready = {
  description: 'Yes; `degraded`: but for the lanes named.',
  content: { 'application/json': { schema: readiness } },
};
const malformed = refusalResponses([400, 414, 431]);
const probes = {
  '/livez': {
    get: {
      operationId: 'livez',
      summary: 'Is the process alive?',
      tags: ['Reference'],
      security: [],
      responses: { 200: healthy, ...malformed },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readyz',
      summary: 'Are contributions accepted?',
      tags: ['Reference'],
      security: [],
      responses: { 200: ready, ...malformed, ...refusalResponses([503]) },
    },
  },
};

import type * as z from 'zod';
import { approvalShape } from '../contracts/accounts/approval.ts';
import { eventStreamMediaType, ndjsonMediaType } from '../contracts/bodies/body-formats.ts';

import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import type { OperationDescription, RequestHeader } from './operation-description.ts';
import { refusalResponses, refusalsOf } from './refusals.ts';
import { urlSchema } from './url-schema.ts';

/** What OpenAPI says of one operation. */
export function operationObject(
  operation: OperationDescription,
  operationId: string,
): Record<string, unknown> {
  const { body, csv } = operation.input;
  const mediaType = mediaTypeOf(operation);
  return {
    operationId,
    summary: operation.name,
    description: `Operation ${operation.id}.`,
    tags: [tagOf(operation)],
    security: securityOf(operation),
    parameters: [
      ...parametersOf(operation.input.params, 'path'),
      ...parametersOf(operation.input.query, 'query'),
      ...(operation.headers ?? []).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body, csv, mediaType) }),
    responses: { ...successOf(operation, mediaType), ...refusalResponses(refusalsOf(operation)) },
  };
}

function mediaTypeOf({ limits }: OperationDescription): string {
  if (limits?.events === true) return eventStreamMediaType;
  if (limits?.download === true) return csvMediaType;
  return limits?.stream === true ? ndjsonMediaType : 'application/json';
}

export const tags = [
  { name: 'Contributions', description: 'Reporting what players contribute.' },
  { name: 'Operator', description: "For operators' services: lookups, opt-ins, winners, rates." },
  {
    name: 'Frontend',
    description: "For players' frontends. Where a player's own data is asked for, with the player's token.",
  },
  { name: 'Fairness', description: 'What anyone may check: rules, draws, accounts.' },
  { name: 'Access', description: 'Logins, service users, keys.' },
  { name: 'Administration', description: 'Owners, templates, instances, sources, segments, money by hand.' },
  { name: 'Reports', description: 'The books: what happened, look-ups and totals.' },
  { name: 'Reference', description: 'These documents.' },
] as const;

function tagOf({ id, path, surface, limits }: OperationDescription): (typeof tags)[number]['name'] {
  if (id.startsWith('reports.')) return 'Reports';
  if (limits?.contribution === true || limits?.stream === true || path.endsWith('/contributions'))
    return 'Contributions';
  if (id.startsWith('fairness.')) return 'Fairness';
  if (id.startsWith('reference.')) return 'Reference';
  if (
    /^\/(?:auth|v1\/auth|config\/service-users|config\/users|config\/operators\/\{operator_id\}\/identity_provider|\.well-known)(?:\/|$)/.test(
      path,
    )
  )
    return 'Access';
  if (surface === 'operator') return 'Operator';
  return surface === 'admin' ? 'Administration' : 'Frontend';
}

function securityOf({
  authentication,
  headers,
  limits,
  path,
}: OperationDescription): Record<string, never[]>[] {
  const player = headers?.includes('X-Player-Token') === true ? [{ player_token: [] }] : [];
  // A signature covers the body, and a stream's has no end.
  const service = limits?.stream === true ? [{ service: [] }] : [{ service: [] }, { signed_request: [] }];
  switch (authentication.kind) {
    case 'administrator':
      return [{ administrator: [] }, { session: [] }];
    case 'service':
      return service;
    case 'service_or_administrator':
      // The cookie of a page counts for administrators' paths alone.
      return [...service, { administrator: [] }, ...(path.startsWith('/config/') ? [{ session: [] }] : [])];
    case 'service_or_player':
      // Without a token a frontend reads what is public, players masked.
      return [...service, ...player, ...(authentication.optional === true ? [{}] : [])];
    case 'anyone':
      return [{}, ...player, ...service, { administrator: [] }];
    case 'none':
      return [];
  }
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function parametersOf(shape: OperationDescription['input']['params'], place: 'path' | 'query'): unknown[] {
  if (shape === undefined) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(shape, 'input') as ObjectSchema;
  const { shape: fields = {} } = shape as z.ZodType & {
    readonly shape?: Readonly<Record<string, z.ZodType>>;
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: fields[name] === undefined ? schema : urlSchema(fields[name]),
  }));
}

function requestBodyOf(
  body: NonNullable<OperationDescription['input']['body']>,
  csv: OperationDescription['input']['csv'],
  mediaType: string,
): unknown {
  const required = !body.safeParse(undefined).success;
  const json = { [mediaType]: { schema: jsonSchemaOf(body, 'input') } };
  if (mediaType === ndjsonMediaType)
    return { description: linesDescription, required: false, content: linesContent(body, 'input') };
  if (csv === undefined) return { required, content: json };
  const description = `First line ${csv.header.join(',')}, at most ${csv.maxRows} rows behind it.`;
  return { required, content: { ...json, 'text/csv': { schema: { type: 'string', description } } } };
}

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const contributionHeaders = headerReferences([
  'X-Contribution-Id',
  'X-Instance-Id',
  'X-Timestamp',
  'X-Win-Amount',
  'X-Win-Currency',
  'X-Win-Pot-Id',
  'X-Tickets-Awarded',
]);

function headerReferences(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function successOf(operation: OperationDescription, mediaType: string): Record<string, unknown> {
  const { output, status, limits, answerHeaders = [] } = operation;
  const isContribution = limits?.contribution === true || limits?.contributionOnBehalf === true;
  const own = isContribution ? contributionHeaders : headerReferences(answerHeaders);
  const headers = { ...requestId, ...own };
  const content = output === 'empty' ? {} : { content: contentOf(output, mediaType) };
  const code = status ?? (output === 'empty' ? 204 : 200);
  const answers: Record<number, object> = {
    [code]: {
      description: limits?.stream === true ? resultsDescription : descriptions[code],
      headers,
      ...content,
    },
    ...acceptedOf(operation),
    ...(operation.headers?.includes('If-None-Match') === true
      ? { 304: { description: unchanged, headers } }
      : {}),
  };
  const repeat = 'The idempotency key was met before: the headers of the first answer.';
  if (!isContribution) {
    const isKeyed = code !== 204 && operation.headers?.includes('Idempotency-Key') === true;
    return isKeyed ? { ...answers, 204: { description: repeat, headers } } : answers;
  }
  return {
    200: {
      ...answers[200],
      description: 'The result; with a callback: nothing yet, the contribution is accepted.',
    },
    ...acceptedOf(operation),
    204: { description: repeat, headers },
  };
}

/** Under a four-eyes rule the change waits for a second administrator; or it has begun and goes on. */
function acceptedOf({ fourEyes, underWay }: OperationDescription): Record<number, object> {
  const isProposed = fourEyes === true;
  const ways = [...(isProposed ? [proposed] : []), ...(underWay === undefined ? [] : [begun])];
  if (ways.length === 0) return {};
  const headers = { ...requestId, ...headerReferences(isProposed ? ['X-Approval-Id'] : []) };
  const shapes = [...(isProposed ? [approvalShape] : []), ...(underWay === undefined ? [] : [underWay])];
  const schemas = shapes.map((each) => jsonSchemaOf(each, 'output'));
  const schema = schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  return { 202: { description: ways.join(' '), headers, content: { 'application/json': { schema } } } };
}

const proposed =
  "Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with " +
  '`POST /config/approvals/{id}/approve`. The service then executes the change.';
const begun = 'Without X-Approval-Id: the change has begun and takes longer. It goes on by itself.';

function contentOf(output: z.ZodType, mediaType: string): Record<string, unknown> {
  if (mediaType === csvMediaType) return downloadContent;
  if (mediaType !== 'application/json') return linesContent(output, 'output', mediaType);
  return { [mediaType]: { schema: jsonSchemaOf(output, 'output') } };
}

const csvMediaType = 'text/csv';
/** Lines of a table, by the format that was asked for. */
const downloadContent = Object.fromEntries(
  [csvMediaType, ndjsonMediaType].map((type) => [type, { schema: { type: 'string' } }]),
);

/** A text, which generated clients can send and read; `contentSchema` says what its lines or events are. */
function linesContent(
  line: z.ZodType,
  io: 'input' | 'output',
  mediaType: string = ndjsonMediaType,
): Record<string, unknown> {
  const schema = { type: 'string', contentMediaType: mediaType, contentSchema: jsonSchemaOf(line, io) };
  return { [mediaType]: { schema } };
}

const linesDescription = 'Lines, each of this shape and answered by itself, for as long as the caller likes.';
const unchanged = 'The caller has it.';
const resultsDescription =
  'Lines of this shape, one for each line of the request, in the order of completion. With `end` the stream ended early: the ' +
  'caller goes on at `line`.';

const descriptions: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'Made.',
  202: 'Accepted.',
  303: 'The browser goes on.',
  204: 'Done.',
};

export const parameterComponents: Readonly<Record<RequestHeader, unknown>> = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The version that is to be changed; another one is refused with `version_conflict`.',
    schema: { type: 'string', pattern: '^(?:"[0-9]{1,15}"|[0-9]{1,15})$' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of what the caller has; if it is current, the answer is 304.',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The last id that the client has, as EventSource sends it by itself: what came after it is sent first.',
    schema: { type: 'string' },
  },
  'X-Player-Token': {
    name: 'X-Player-Token',
    in: 'header',
    description: "A player's session token, which the wallet of the brand vouches for.",
    schema: { type: 'string', minLength: 1, maxLength: 4096 },
  },
};

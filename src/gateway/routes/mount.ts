import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AdministratorPrincipal, Principal, ServicePrincipal } from '../../access/rights/principal.ts';
import { tracer } from '../../lib/tracing.ts';
import { handleAudited, isAudited, isRoleRefusal, recordForbidden } from '../api/audit/audited.ts';
import type {
  AuditedRequest,
  GatewayContext,
  Operation,
  OperationRequest,
} from '../api/operation/operation.ts';
import { operationBody } from '../api/operation/operation-body.ts';
import { tracedContext } from '../api/operation/run.ts';
import { type CsvFormat, type CsvTable, readCsv } from '../base/csv.ts';
import { PublicError } from '../base/errors.ts';
import { parseBody } from '../base/json-body.ts';
import { ndjsonMediaType } from '../base/media-type.ts';
import type { Reply } from '../base/reply.ts';
import type { RequestKind } from '../base/request-durations.ts';
import { validateInput } from '../base/validate.ts';
import { requestIdOf, sendBareReply, sendReply } from '../http/answer.ts';
import type { ClientAddresses } from '../http/client-address.ts';
import type { PathInputs } from '../http/fast-path/path-matcher.ts';
import { httpLimits } from '../http/limits.ts';
import { beginTracedRequest, spanOf } from '../http/request-spans.ts';
import { nameRequest } from '../http/request-times.ts';
import type { HttpTools } from '../http/server.ts';
import { announcesBody, bodyFault, isCsv } from '../http/transport.ts';
import type { StreamHost } from '../stream/contribution-stream.ts';
import type { AdministratorWrites } from './administrator-writes.ts';
import { authenticate, checkRole, mayShowNone } from './authenticate.ts';
import type { ContributionRoute } from './contribution-route.ts';
import { headersNotRead, requireKnownQuery, requireNoneOf } from './dropped-inputs.ts';
import { isLargeBody, type LargeBodies } from './large-bodies.ts';
import type { PublicGetLimit } from './public-get-limit.ts';
import { authenticateSigned, isSigned } from './signed-request.ts';
import { streamHandler } from './stream-route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    table: CsvTable | null;
    /** As they were sent: what a signature covers. */
    bodyBytes: Buffer | null;
  }
}

export interface MountTools extends HttpTools {
  readonly context: GatewayContext;
  readonly publicGets: PublicGetLimit;
  readonly administratorWrites: AdministratorWrites;
  readonly largeBodies: LargeBodies;
  readonly rateTables: LargeBodies;
  readonly streams: StreamHost;
  /** How long an operation may take. */
  readonly handlerTimeoutMs: number;
}

/**
 * Makes a Fastify route of an operation. Fastify finds the route and runs the steps; we write the answers.
 * `contribution`: its route on the fast path, which continues from the bytes of the body.
 */
export function mountOperation(
  fastify: FastifyInstance,
  operation: Operation,
  tools: MountTools,
  contribution?: ContributionRoute,
): void {
  const isRaw = contribution !== undefined;
  fastify.route({
    method: operation.method,
    url: operation.path.replace(/\{([a-z_]+)\}/g, ':$1'),
    onRequest: requestHook(operation, tools, isRaw),
    handler: handlerOf(operation, tools, contribution),
    config: {
      bodyBytes: operation.limits?.bodyBytes ?? httpLimits.bodyBytes,
      isRateTable: operation.limits?.rateTable === true,
      isRaw,
      csv: operation.input.csv,
    } satisfies RouteConfig,
  });
}

function handlerOf(operation: Operation, tools: MountTools, contribution?: ContributionRoute) {
  if (operation.limits?.stream === true) return streamHandler(operation, tools, tools.streams);
  if (contribution !== undefined) return contributionHandler(operation, tools, contribution);
  return operationHandler(operation, tools);
}

/** What the readers of bodies know of a route. */
interface RouteConfig {
  readonly bodyBytes?: number;
  readonly isRaw?: boolean;
  readonly isRateTable?: boolean;
  readonly csv?: CsvFormat | undefined;
}

/** Installs what all routes share: how bodies are read. */
export function prepareRoutes(
  fastify: FastifyInstance,
  {
    bodies,
    administratorWrites,
    largeBodies,
    rateTables,
  }: Pick<MountTools, 'bodies' | 'administratorWrites' | 'largeBodies' | 'rateTables'>,
): void {
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('bodyBytes', null);
  fastify.decorateRequest('table', null);
  fastify.removeAllContentTypeParsers();
  const read = (
    request: FastifyRequest,
    done: (error: Error | null, body?: unknown) => void,
    take: (bytes: Buffer, config: RouteConfig) => unknown,
  ): void => {
    const config = request.routeOptions.config as RouteConfig;
    bodies.read(request.raw, config.bodyBytes ?? httpLimits.bodyBytes, (error, bytes) => {
      if (error !== null) return done(error);
      request.bodyBytes = bytes;
      if (bytes === null && !isCsvFor(request.raw, config)) return done(null, undefined);
      const { principal } = request;
      const given = bytes ?? Buffer.alloc(0);
      const taken = (): void => takeBody(given, config, take, done);
      if (principal?.kind !== 'administrator') return taken();
      administratorWrites.charge(principal, given.length);
      if (!isLargeBody(given.length)) return taken();
      const turns = config.isRateTable === true ? rateTables : largeBodies;
      turns.admit(principal, given.length).then(taken, done);
    });
  };
  fastify.addContentTypeParser('application/json', (request, _payload, done) =>
    read(request, done, (bytes, { isRaw }) => (isRaw === true ? undefined : parseBody(bytes))),
  );
  // Its handler reads the lines as they come.
  fastify.addContentTypeParser(ndjsonMediaType, (_request, _payload, done) => done(null, undefined));
  fastify.addContentTypeParser('text/csv', (request, _payload, done) =>
    read(request, done, async (bytes, { csv }) => {
      if (csv === undefined) throw new PublicError('unsupported_media_type');
      request.table = await readCsv(bytes, csv);
    }),
  );
}

function takeBody(
  bytes: Buffer,
  config: RouteConfig,
  take: (bytes: Buffer, config: RouteConfig) => unknown,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    const body = take(bytes, config);
    if (body instanceof Promise) body.then((value) => done(null, value), done);
    else done(null, body);
  } catch (fault) {
    done(fault as Error);
  }
}

/** Transport, then who is calling: before the body is read. */
function requestHook(operation: Operation, tools: MountTools, isRaw: boolean) {
  const { limits, input } = operation;
  const bodyBytes =
    limits?.stream === true ? Number.POSITIVE_INFINITY : (limits?.bodyBytes ?? httpLimits.bodyBytes);
  const bodyKind = limits?.stream === true ? 'lines' : input.csv === undefined ? 'json' : 'json or csv';
  const takesBody = operation.method !== 'GET';
  const { surface, isRepeatable } = operation;
  const isRead = !takesBody || isRepeatable === true;
  const isPublicRead = isRead && (surface === 'frontend' || surface === 'public');
  const { authentication } = operation;
  const takesToken = mayShowNone(authentication);
  const needsCredential = authentication.kind === 'service_or_player' && authentication.optional !== true;
  const kind = kindOf(operation, isRaw);
  const { access } = tools.context;
  const notRead = takesBody ? headersNotRead(operation) : [];
  const admit = (request: FastifyRequest, principal: Principal): void => {
    if (takesBody && principal.kind === 'administrator') tools.administratorWrites.take(principal);
    request.principal = principal;
  };
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    nameRequest(reply.raw, kind);
    if (tracer !== null) beginTracedRequest(reply.raw, operation);
    try {
      // The router takes nothing between two slashes for an input; the wire's routes have none.
      if (isRaw && Object.values(request.params as PathInputs).includes(''))
        throw new PublicError('route_not_found');
      requireNoneOf(notRead, request.raw);
      // Without a body its type says nothing, whatever it is.
      if (takesBody && !announcesBody(request.raw) && !isCsvFor(request.raw, input))
        delete request.raw.headers['content-type'];
      const fault = takesBody ? bodyFault(request.raw, bodyBytes, bodyKind) : null;
      if (fault !== null) throw new PublicError(fault);
      // Who shows a service's token instead is no part of the public; a large epoch is much, whoever reads it.
      const { authorization } = request.headers;
      if (isPublicRead && (surface === 'public' || !takesToken || authorization === undefined))
        tools.publicGets.take(tools.addresses.ofRequest(request.raw));
      if (isSigned(request.raw, authentication)) {
        done();
        return;
      }
      if (needsCredential && authorization === undefined && request.headers['x-player-token'] === undefined)
        throw new PublicError('player_token_required');
      const principal = authenticate(access, authentication, authorization);
      if (!(principal instanceof Promise)) {
        admit(request, principal);
        done();
        return;
      }
      principal.then((known) => admit(request, known)).then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  };
}

/** A contribution is one here whichever front reads it. */
function kindOf({ method, surface }: Operation, isContribution: boolean): RequestKind {
  if (isContribution) return 'contribution';
  if (surface === 'admin') return 'administration';
  return method === 'GET' ? 'lookup' : 'other';
}

/** Of what takes CSV. No bytes of it are CSV without its header, and no request without a body. */
function isCsvFor({ headers }: IncomingMessage, { csv }: { readonly csv?: unknown }): boolean {
  return csv !== undefined && isCsv(headers['content-type']);
}

function operationHandler(operation: Operation, tools: MountTools) {
  const { fail } = tools;
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const response = reply.raw;
    answerInTime(operation, request, response, tools).then(
      (answer) => {
        try {
          sendReply(response, answer);
        } catch (error) {
          fail(response, error);
        }
      },
      (error) => fail(response, error),
    );
  };
}

function contributionHandler(operation: Operation, { context, fail }: MountTools, route: ContributionRoute) {
  return (
    { raw, params, headers, principal, bodyBytes }: FastifyRequest,
    { raw: response }: FastifyReply,
  ): void => {
    const sink = {
      answer: (reply: Reply) => sendBareReply(response, reply),
      fail: (error: unknown) => fail(response, error),
    };
    const handle = (caller: Principal): void => {
      requireKnownQuery(operation, raw);
      route.handle(
        {
          params: params as PathInputs,
          headers,
          principal: caller,
          bytes: bodyBytes,
          trace: spanOf(response),
        },
        sink,
      );
    };
    const caller =
      principal === null
        ? authenticateSigned(context.access, operation.authentication, raw, bodyBytes)
        : Promise.resolve(principal);
    caller.then(handle).catch(sink.fail);
  };
}

async function answerInTime(
  operation: Operation,
  request: FastifyRequest,
  response: ServerResponse,
  tools: MountTools,
): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const isRepeatable = operation.method === 'GET' || operation.isRepeatable === true;
    const code = isRepeatable ? 'overloaded' : 'outcome_unknown';
    timer = setTimeout(() => reject(new PublicError(code)), tools.handlerTimeoutMs);
  });
  try {
    return await Promise.race([answerOf(operation, request, response, tools), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function answerOf(
  operation: Operation,
  request: FastifyRequest,
  response: ServerResponse,
  tools: MountTools,
): Promise<Reply> {
  const { addresses } = tools;
  const context = tracedContext(tools.context, spanOf(response));
  const handle = (principal: Principal) => {
    if (isAudited(operation, principal))
      return answerAudited(operation, request, response, { ...tools, context });
    return operation.handle(inputOf(operation, request, principal, addresses) as never, context);
  };
  const { principal } = request;
  if (principal !== null) return handle(principal);
  // A signature covers the body: the signer is known once all of it is read.
  const { raw, bodyBytes } = request;
  return authenticateSigned(context.access, operation.authentication, raw, bodyBytes).then(handle);
}

/** A change by an administrator, or by a service that was given the right to it. */
async function answerAudited(
  operation: Operation,
  request: FastifyRequest,
  response: ServerResponse,
  { context, addresses }: MountTools,
): Promise<Reply> {
  const principal = request.principal as AdministratorPrincipal | ServicePrincipal;
  const requestId = requestIdOf(response);
  const audited = { operation, requestId, bytes: request.bodyBytes, approved: null };
  try {
    const input = { ...inputOf(operation, request, principal, addresses), ...audited };
    return await handleAudited(operation, input as AuditedRequest, context);
  } catch (error) {
    if (isRoleRefusal(operation, principal, error)) {
      const address = addresses.ofRequest(request.raw);
      await recordForbidden(operation, { principal, address, requestId }, context.audit);
    }
    throw error;
  }
}

function inputOf(
  operation: Operation,
  request: FastifyRequest,
  principal: Principal,
  addresses: ClientAddresses,
): OperationRequest {
  const { params, query } = operation.input;
  try {
    requireKnownQuery(operation, request.raw);
    const input = {
      principal,
      params: params === undefined ? {} : validateInput(params, 'params', request.params),
      query: query === undefined ? {} : validateInput(query, 'query', decodedQuery(request)),
      body: request.table === null ? operationBody(operation, request.body, request.params) : undefined,
      table: request.table,
      headers: request.headers,
      address: addresses.ofRequest(request.raw),
    };
    checkRole(operation.authentication, principal);
    return input as unknown as OperationRequest;
  } catch (error) {
    // An amount that is read with its body is refused after the caller's role all the same.
    if (error instanceof PublicError && error.status === 422) checkRole(operation.authentication, principal);
    throw error;
  }
}

/**
 * An input without a value is absent, so that one that nobody knows is refused all the same. The router takes a wrong percent-encoding
 * for the text itself; in a path it is an error of HTTP.
 */
function decodedQuery(request: FastifyRequest): unknown {
  const { url } = request.raw as { url: string };
  const question = url.indexOf('?');
  if (question < 0) return request.query;
  try {
    decodeURIComponent(url.slice(question + 1));
  } catch {
    throw new PublicError('invalid_parameter');
  }
  const given = Object.entries(request.query as Readonly<Record<string, string | string[]>>);
  return Object.fromEntries(given.map(([name, value]) => [name, withoutEmpty(value)]));
}

function withoutEmpty(value: string | string[]): string | string[] | undefined {
  if (typeof value === 'string') return value || undefined;
  const values = value.filter((each) => each !== '');
  return values.length > 1 ? values : values[0];
}

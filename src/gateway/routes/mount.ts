import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdministratorPrincipal, Principal, ServicePrincipal } from '../../access/rights/principal.ts';
import { handleAudited, isAudited, isRoleRefusal, recordForbidden } from '../api/audit/audited.ts';
import type {
  AuditedRequest,
  GatewayContext,
  Operation,
  OperationRequest,
} from '../api/operation/operation.ts';
import { operationBody } from '../api/operation/operation-body.ts';
import { tracedContext } from '../api/operation/run.ts';
import { PublicError } from '../base/errors.ts';
import type { Reply } from '../base/reply.ts';
import type { RequestKind } from '../base/request-durations.ts';
import { validateInput } from '../base/validate.ts';
import type { EventStreams } from '../event-stream/event-streams.ts';
import type { HintStreams } from '../event-stream/hint-streams.ts';
import { requestIdOf, sendBareReply, sendReply } from '../http/answer.ts';
import type { ClientAddresses } from '../http/client-address.ts';
import type { PathInputs } from '../http/fast-path/path-matcher.ts';
import { httpLimits } from '../http/limits.ts';
import { decodedQuery, type HttpRequest, type HttpRoute } from '../http/mount.ts';
import { spanOf } from '../http/request-observation.ts';
import type { HttpTools } from '../http/server.ts';
import type { StreamHost } from '../stream/contribution-stream.ts';
import type { AdministratorWrites, PublicGetLimit } from './caller-limits.ts';
import { authenticate, authenticateSigned, checkRole, isSigned, mayShowNone } from './callers.ts';
import { type Downloads, downloadHandler } from './download-route.ts';
import { headersNotRead, requireKnownQuery } from './dropped-inputs.ts';
import { eventStreamHandler } from './event-stream-route.ts';
import type { ContributionRoute } from './fast-routes.ts';
import { isLargeBody, type LargeBodies } from './large-bodies.ts';
import {
  isByCookie,
  requireNavigation,
  requireOwnPage,
  takeSession,
  takesSessions,
} from './page-sessions.ts';
import { streamHandler } from './stream-route.ts';

export interface MountTools extends HttpTools {
  readonly context: GatewayContext;
  readonly publicGets: PublicGetLimit;
  readonly administratorWrites: AdministratorWrites;
  readonly largeBodies: LargeBodies;
  readonly rateTables: LargeBodies;
  readonly streams: StreamHost;
  readonly eventStreams: EventStreams;
  readonly hintStreams: HintStreams;
  readonly downloads: Downloads;
  readonly handlerTimeoutMs: number;
}

/** The route of an operation. `contribution`: its fast route, which goes on from the body's bytes. */
export function operationRoute(
  operation: Operation,
  tools: MountTools,
  contribution?: ContributionRoute,
): HttpRoute<Principal> {
  const { id, method, path, limits, input } = operation;
  const isStream = limits?.stream === true;
  const takesJson = contribution === undefined ? 'json' : 'bytes';
  const turns = limits?.rateTable === true ? tools.rateTables : tools.largeBodies;
  return {
    id,
    method,
    path,
    kind: kindOf(operation, contribution !== undefined),
    takes: method === 'GET' ? 'nothing' : isStream ? 'lines' : takesJson,
    csv: input.csv,
    maxBytes: isStream ? Number.POSITIVE_INFINITY : (limits?.bodyBytes ?? httpLimits.bodyBytes),
    headersNotRead: method === 'GET' ? [] : headersNotRead(operation),
    identify: identifierOf(operation, tools),
    admit(principal, bytes) {
      if (principal.kind !== 'administrator') return null;
      tools.administratorWrites.charge(principal, bytes);
      return isLargeBody(bytes) ? turns.admit(principal, bytes) : null;
    },
    handle: handlerOf(operation, tools, contribution),
  };
}

function handlerOf(operation: Operation, tools: MountTools, contribution?: ContributionRoute) {
  if (operation.limits?.stream === true) return streamHandler(operation, tools, tools.streams);
  if (operation.limits?.events === true)
    return eventStreamHandler(
      operation,
      (request, response) => answerInTime(operation, request, response, tools),
      tools,
    );
  if (operation.limits?.download === true)
    return downloadHandler(
      operation,
      (request, response) => answerInTime(operation, request, response, tools),
      tools,
    );
  if (contribution !== undefined) return contributionHandler(operation, tools, contribution);
  return operationHandler(operation, tools);
}

function identifierOf(operation: Operation, tools: MountTools) {
  const { method, surface, authentication, isRepeatable, forPages } = operation;
  const isForSessions = takesSessions(operation);
  const isRead = method === 'GET' || isRepeatable === true;
  const isPublicRead = isRead && (surface === 'frontend' || surface === 'public');
  const takesToken = mayShowNone(authentication);
  const needsCredential = authentication.kind === 'service_or_player' && authentication.optional !== true;
  const admit = (principal: Principal): Principal => {
    if (method !== 'GET' && principal.kind === 'administrator') tools.administratorWrites.take(principal);
    return principal;
  };
  return (request: IncomingMessage): Principal | null | Promise<Principal> => {
    if (forPages === true) requireOwnPage(request, tools.addresses);
    if (forPages === 'navigation') requireNavigation(request, tools.addresses);
    if (isForSessions) takeSession(request, operation, tools.addresses);
    const { authorization, 'x-player-token': playerToken } = request.headers;
    // A service's token is not public; a large epoch is much for any caller.
    if (isPublicRead && (surface === 'public' || !takesToken || authorization === undefined))
      tools.publicGets.take(tools.addresses.ofRequest(request));
    if (isSigned(request, authentication)) return null;
    if (needsCredential && authorization === undefined && playerToken === undefined)
      throw new PublicError('player_token_required');
    const principal = authenticate(tools.context.access, authentication, authorization);
    return principal instanceof Promise ? principal.then(admit) : admit(principal);
  };
}

/** A contribution is one here whichever front reads it. */
function kindOf({ method, surface }: Operation, isContribution: boolean): RequestKind {
  if (isContribution) return 'contribution';
  if (surface === 'admin') return 'administration';
  return method === 'GET' ? 'lookup' : 'other';
}

function operationHandler(operation: Operation, tools: MountTools) {
  const { fail } = tools;
  return (request: HttpRequest<Principal>, response: ServerResponse): void => {
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
    { raw, params, caller: principal, bodyBytes }: HttpRequest<Principal>,
    response: ServerResponse,
  ): void => {
    const sink = {
      answer: (reply: Reply) => sendBareReply(response, reply),
      fail: (error: unknown) => fail(response, error),
    };
    const handle = (caller: Principal): void => {
      requireKnownQuery(operation, raw);
      const inputs = params as PathInputs;
      const trace = spanOf(response);
      route.handle({ inputs, headers: raw.headers, address: '', bytes: bodyBytes, trace }, caller, sink);
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
  request: HttpRequest<Principal>,
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
  request: HttpRequest<Principal>,
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
  const { caller: principal } = request;
  if (principal !== null) return handle(principal);
  // A signature covers the body: the signer is known once all of it is read.
  const { raw, bodyBytes } = request;
  return authenticateSigned(context.access, operation.authentication, raw, bodyBytes).then(handle);
}

/** A change by an administrator, or by a service that was given the right to it. */
async function answerAudited(
  operation: Operation,
  request: HttpRequest<Principal>,
  response: ServerResponse,
  { context, addresses }: MountTools,
): Promise<Reply> {
  const principal = request.caller as AdministratorPrincipal | ServicePrincipal;
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
  request: HttpRequest<Principal>,
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
      headers: request.raw.headers,
      address: addresses.ofRequest(request.raw),
      byCookie: isByCookie(request.raw),
    };
    checkRole(operation.authentication, principal);
    return input as unknown as OperationRequest;
  } catch (error) {
    // An amount that is read with its body is refused after the caller's role all the same.
    if (error instanceof PublicError && error.status === 422) checkRole(operation.authentication, principal);
    throw error;
  }
}

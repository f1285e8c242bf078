import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../access/principal.ts';
import { parseBody } from '../body/parse.ts';
import { PublicError } from '../errors.ts';
import type { Authentication, GatewayContext, Operation, OperationRequest } from '../operation.ts';
import { authenticate } from './authenticate.ts';
import { httpLimits } from './limits.ts';
import type { OperatorQuotas } from './operator-quotas.ts';
import { compileValidator } from './validate.ts';
import { type AnswerSink, identify, settle, type WireRoute } from './wire/route.ts';

/** The inputs of a path, still encoded. */
export type RawParams = Readonly<Record<string, string>>;

/** One contribution operation, whichever front reads its bytes. */
export interface ContributionRoute extends WireRoute<RawParams> {
  readonly authentication: Authentication;
  /** @throws PublicError */
  authenticate(authorization: string | undefined): Principal | Promise<Principal>;
  handle(request: ContributionCall, sink: AnswerSink): void;
}

export interface ContributionCall {
  readonly params: RawParams;
  readonly headers: IncomingHttpHeaders;
  readonly principal: Principal;
  readonly bytes: Buffer | null;
}

export function createContributionRoute(
  operation: Operation,
  context: GatewayContext,
  quotas: OperatorQuotas,
): ContributionRoute {
  const { params, body } = operation.input;
  const validateParams = params === undefined ? null : compileValidator(params, 'params');
  const validateBody = body === undefined ? null : compileValidator(body, 'body');

  function inputOf(call: ContributionCall): OperationRequest {
    const { bytes } = call;
    const parsed = bytes === null ? { value: undefined, inexactNumber: false } : parseBody(bytes);
    return {
      principal: call.principal,
      params: validateParams === null ? undefined : validateParams(decodeParams(call.params)),
      query: undefined,
      body: validateBody === null ? undefined : validateBody(parsed.value),
      headers: call.headers,
      address: '',
      inexactNumber: parsed.inexactNumber,
    } as unknown as OperationRequest;
  }

  const route: ContributionRoute = {
    method: 'POST',
    mostBytes: operation.limits?.bodyBytes ?? httpLimits.bodyBytes,
    guarded: false,
    authentication: operation.authentication,
    match: pathMatcher(operation.path),
    authenticate: (authorization) => authenticate(context.access, operation.authentication, authorization),
    handle: (call, sink) =>
      settle(sink, () => {
        const { principal, bytes } = call;
        if (principal.kind === 'service') quotas.take(principal.operator, bytes?.length ?? 0);
        return operation.handle(inputOf(call) as never, context);
      }),
    begin({ inputs: params, headers, bytes }, sink) {
      identify(
        sink,
        () => route.authenticate(headers.authorization),
        (principal) => route.handle({ params, headers, principal, bytes }, sink),
      );
    },
  };
  return route;
}

/** Paths of the contribution routes hold one input at most. */
function pathMatcher(pattern: string): ContributionRoute['match'] {
  const parts = /^([^{]*)\{([a-z_]+)\}([^{]*)$/.exec(pattern);
  if (parts === null) return (path) => (path === pattern ? {} : null);
  const [, prefix, name, suffix] = parts as unknown as [string, string, string, string];
  return (path) => {
    if (!path.startsWith(prefix) || !path.endsWith(suffix)) return null;
    const value = path.slice(prefix.length, path.length - suffix.length);
    // A query is no part of the path: `/instances/a?/contributions` is another one.
    return value === '' || /[/?]/.test(value) ? null : { [name]: value };
  };
}

function decodeParams(raw: RawParams): RawParams {
  for (const name in raw) {
    const value = raw[name] as string;
    if (!value.includes('%')) continue;
    try {
      return { ...raw, [name]: decodeURIComponent(value) };
    } catch {
      throw new PublicError('malformed_http');
    }
  }
  return raw;
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Principal, ServicePrincipal } from '../../access/rights/principal.ts';
import type { TraceParent } from '../../lib/tracing.ts';
import type { OperatorQuotas } from '../api/contribution/operator-quotas.ts';
import type { GatewayContext, Operation, OperationRequest } from '../api/operation/operation.ts';
import { tracedContext } from '../api/operation/run.ts';
import { parseBody } from '../base/json-body.ts';
import type { Reply } from '../base/reply.ts';
import { compileValidator } from '../base/validate.ts';
import { answersPages } from '../http/cors.ts';
import { type PathInputs, pathMatcher } from '../http/fast-path/path-matcher.ts';
import type { AnswerSink, FastPathRoute } from '../http/fast-path/route.ts';
import { httpLimits } from '../http/limits.ts';
import { authenticate } from './authenticate.ts';
import { identifyCaller, settle } from './settle.ts';

/** One contribution operation, whether the wire or Fastify reads its bytes. */
export interface ContributionRoute extends FastPathRoute<PathInputs> {
  handle(request: ContributionCall, sink: AnswerSink): void;
}

interface ContributionCall {
  readonly params: PathInputs;
  readonly headers: IncomingHttpHeaders;
  readonly principal: Principal;
  readonly bytes: Buffer | null;
  /** null: the request is not sampled. */
  readonly trace: TraceParent | null;
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
    return {
      principal: call.principal,
      params: validateParams === null ? undefined : validateParams(call.params),
      query: undefined,
      body: validateBody === null ? undefined : validateBody(bytes === null ? undefined : parseBody(bytes)),
      headers: call.headers,
      address: '',
    } as unknown as OperationRequest;
  }

  async function releasing(call: ContributionCall, reservedBytes: number): Promise<Reply> {
    try {
      return await operation.handle(inputOf(call) as never, tracedContext(context, call.trace));
    } finally {
      quotas.release((call.principal as ServicePrincipal).operator, reservedBytes);
    }
  }

  const route: ContributionRoute = {
    method: 'POST',
    maxBytes: operation.limits?.bodyBytes ?? httpLimits.bodyBytes,
    kind: 'contribution',
    operation,
    guarded: false,
    answersPages: answersPages(operation.path),
    match: pathMatcher(operation.path),
    pathInputs: (inputs) => inputs,
    handle: (call, sink) =>
      settle(sink, () => {
        const { principal, bytes } = call;
        const reservedBytes =
          principal.kind === 'service' ? quotas.take(principal.operator, bytes?.length ?? 0) : 0;
        if (reservedBytes > 0) return releasing(call, reservedBytes);
        return operation.handle(inputOf(call) as never, tracedContext(context, call.trace));
      }),
    begin({ inputs: params, headers, bytes, trace }, sink) {
      identifyCaller(
        sink,
        () => authenticate(context.access, operation.authentication, headers.authorization),
        (principal) => route.handle({ params, headers, principal, bytes, trace }, sink),
      );
    },
  };
  return route;
}

import type { Principal, ServicePrincipal } from '../../access/rights/principal.ts';
import type { OperatorQuotas } from '../api/contribution/operator-quotas.ts';
import type { GatewayContext, Operation } from '../api/operation/operation.ts';
import { tracedContext } from '../api/operation/run.ts';
import { parseBody } from '../base/json-body.ts';
import type { Reply } from '../base/reply.ts';
import { compileValidator } from '../base/validate.ts';
import { answersPages } from '../http/cors.ts';
import { type PathInputs, pathMatcher } from '../http/fast-path/path-matcher.ts';
import type { AnswerSink, FastPathCall, FastPathRoute } from '../http/fast-path/route.ts';
import { httpLimits } from '../http/limits.ts';
import { authenticate, mayShowNone } from './callers.ts';
import type { MountTools } from './mount.ts';

/** A contribution operation, whether the fast path or Fastify reads its bytes. */
export interface ContributionRoute extends FastPathRoute<PathInputs> {
  handle(call: FastPathCall<PathInputs>, principal: Principal, sink: AnswerSink): void;
}

export function createContributionRoute(
  operation: Operation,
  context: GatewayContext,
  quotas: OperatorQuotas,
): ContributionRoute {
  const { params, body } = operation.input;
  const validateParams = params === undefined ? null : compileValidator(params, 'params');
  const validateBody = body === undefined ? null : compileValidator(body, 'body');

  function answer(call: FastPathCall<PathInputs>, principal: Principal): Promise<Reply> {
    const { inputs, headers, bytes, trace } = call;
    const input = {
      principal,
      params: validateParams === null ? undefined : validateParams(inputs),
      query: undefined,
      body: validateBody === null ? undefined : validateBody(bytes === null ? undefined : parseBody(bytes)),
      headers,
      address: '',
    };
    return operation.handle(input as never, tracedContext(context, trace));
  }

  async function releasing(
    call: FastPathCall<PathInputs>,
    principal: ServicePrincipal,
    reservedBytes: number,
  ): Promise<Reply> {
    try {
      return await answer(call, principal);
    } finally {
      quotas.release(principal.operator, reservedBytes);
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
    handle: (call, principal, sink) =>
      settle(sink, () => {
        if (principal.kind !== 'service') return answer(call, principal);
        const reservedBytes = quotas.take(principal.operator, call.bytes?.length ?? 0);
        return reservedBytes > 0 ? releasing(call, principal, reservedBytes) : answer(call, principal);
      }),
    begin: (call, sink) =>
      identifyCaller(
        sink,
        () => authenticate(context.access, operation.authentication, call.headers.authorization),
        (principal) => route.handle(call, principal, sink),
      ),
  };
  return route;
}

/** What the target of a lookup names, still text. */
interface LookupInputs {
  readonly params: PathInputs;
  readonly query: QueryInputs;
}

export function createLookupRoute(
  operation: Operation,
  { context, publicGets }: Pick<MountTools, 'context' | 'publicGets'>,
): FastPathRoute<LookupInputs> {
  const { params, query } = operation.input;
  const validateParams = params === undefined ? null : compileValidator(params, 'params');
  const validateQuery = query === undefined ? null : compileValidator(query, 'query');
  const { authentication } = operation;
  const isPublic = operation.surface === 'frontend';
  const matchPath = pathMatcher(operation.path);

  function answer(call: FastPathCall<LookupInputs>, principal: Principal): Promise<Reply> {
    const { inputs, headers, address, trace } = call;
    const input = {
      principal,
      params: validateParams === null ? {} : validateParams(inputs.params),
      query: validateQuery === null ? {} : validateQuery(inputs.query),
      body: undefined,
      headers,
      address,
    };
    return operation.handle(input as never, tracedContext(context, trace));
  }

  return {
    method: 'GET',
    maxBytes: 0,
    kind: 'lookup',
    operation,
    guarded: true,
    answersPages: answersPages(operation.path),
    match(target) {
      const question = target.indexOf('?');
      const inputs = matchPath(question < 0 ? target : target.slice(0, question));
      if (inputs === null) return null;
      const asked = question < 0 ? noInputs : readQuery(target, question + 1);
      return asked === null ? null : { params: inputs, query: asked };
    },
    pathInputs: ({ params: inputs }) => inputs,
    begin(call, sink) {
      const ask = (): Principal | Promise<Principal> => {
        const { authorization } = call.headers;
        if (isPublic && (authorization === undefined || !mayShowNone(authentication)))
          publicGets.take(call.address);
        return authenticate(context.access, authentication, authorization);
      };
      identifyCaller(sink, ask, (principal) => settle(sink, () => answer(call, principal)));
    },
  };
}

const noInputs: QueryInputs = {};
const plainValue = /^[A-Za-z0-9._~:,-]*$/;

type QueryInputs = Readonly<Record<string, string | undefined>>;

/** An input without a value is absent. null: not plain, or a name twice. */
function readQuery(url: string, from: number): QueryInputs | null {
  const inputs: Record<string, string | undefined> = {};
  for (let start = from; start < url.length; ) {
    const next = url.indexOf('&', start);
    const end = next < 0 ? url.length : next;
    const equals = url.indexOf('=', start);
    if (equals < 0 || equals > end) return null;
    const name = url.slice(start, equals);
    const value = url.slice(equals + 1, end);
    if (!plainValue.test(value) || !/^[a-z_]+$/.test(name) || name in inputs) return null;
    inputs[name] = value || undefined;
    start = end + 1;
  }
  return inputs;
}

/** Continues with the caller, synchronously for a known token: most requests cost no promise. */
function identifyCaller(
  sink: AnswerSink,
  ask: () => Principal | Promise<Principal>,
  next: (principal: Principal) => void,
): void {
  let principal: Principal | Promise<Principal>;
  try {
    principal = ask();
  } catch (error) {
    sink.fail(error);
    return;
  }
  if (principal instanceof Promise) principal.then(next, (error) => sink.fail(error));
  else next(principal);
}

function settle(sink: AnswerSink, start: () => Promise<Reply>): void {
  try {
    start().then(
      (answer) => {
        try {
          sink.answer(answer);
        } catch (error) {
          sink.fail(error);
        }
      },
      (error) => sink.fail(error),
    );
  } catch (error) {
    sink.fail(error);
  }
}

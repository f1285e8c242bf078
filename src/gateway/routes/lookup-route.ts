import type { Principal } from '../../access/rights/principal.ts';
import type { Operation, OperationRequest } from '../api/operation/operation.ts';
import { tracedContext } from '../api/operation/run.ts';
import { compileValidator } from '../base/validate.ts';
import { answersPages } from '../http/cors.ts';
import { type PathInputs, pathMatcher } from '../http/fast-path/path-matcher.ts';
import type { AnswerSink, FastPathCall, FastPathRoute } from '../http/fast-path/route.ts';
import { authenticate, mayShowNone } from './authenticate.ts';
import type { MountTools } from './mount.ts';
import { identifyCaller, settle } from './settle.ts';

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

  function inputOf({ inputs, headers, address }: FastPathCall<LookupInputs>, principal: Principal) {
    return {
      principal,
      params: validateParams === null ? {} : validateParams(inputs.params),
      query: validateQuery === null ? {} : validateQuery(inputs.query),
      body: undefined,
      headers,
      address,
    } as unknown as OperationRequest;
  }
  const handle = (call: FastPathCall<LookupInputs>, principal: Principal, sink: AnswerSink): void =>
    settle(sink, () =>
      operation.handle(inputOf(call, principal) as never, tracedContext(context, call.trace)),
    );

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
      identifyCaller(sink, ask, (principal) => handle(call, principal, sink));
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

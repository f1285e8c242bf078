import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../access/principal.ts';
import type { Operation, OperationRequest, Reply } from '../operation.ts';
import { sendReply } from './answer.ts';
import { authenticate } from './authenticate.ts';
import type { MountTools } from './mount.ts';
import { isSigned } from './signed-request.ts';
import { compileValidator } from './validate.ts';

/** Takes the request if it is a plain lookup; false: it is for the router. */
export type LookupFront = (request: IncomingMessage, response: ServerResponse) => boolean;

type Inputs = Readonly<Record<string, string>>;

/**
 * The lookups that every page and game asks for (O12, O13, O20), on Node's server itself. The steps, checks and errors are those
 * of every other route, and the router has these routes, too: whatever is unusual about a request (a body, a signature, an
 * encoded character) is its.
 */
export function createLookupFront(operations: readonly Operation[], tools: MountTools): LookupFront {
  const routes = operations.map((operation) => createRoute(operation, tools));
  return (request, response) => {
    if (request.method !== 'GET' || hasBody(request)) return false;
    const url = request.url as string;
    const question = url.indexOf('?');
    const path = question < 0 ? url : url.slice(0, question);
    for (const route of routes) {
      const params = route.match(path);
      if (params === null) continue;
      const query = question < 0 ? noInputs : readQuery(url, question + 1);
      return query !== null && route.take(request, response, params, query);
    }
    return false;
  };
}

interface Route {
  match(path: string): Inputs | null;
  take(request: IncomingMessage, response: ServerResponse, params: Inputs, query: Inputs): boolean;
}

const noInputs: Inputs = {};
const plainValue = /^[A-Za-z0-9._~:,-]*$/;

function createRoute(operation: Operation, { context, publicGets, fail }: MountTools): Route {
  const { params, query } = operation.input;
  const validateParams = params === undefined ? null : compileValidator(params, 'params');
  const validateQuery = query === undefined ? null : compileValidator(query, 'query');
  const isPublic = operation.surface === 'frontend';

  function handle(
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    inputs: { readonly params: Inputs; readonly query: Inputs },
  ): void {
    const input = {
      principal,
      params: validateParams === null ? {} : validateParams(inputs.params),
      query: validateQuery === null ? {} : validateQuery(inputs.query),
      body: undefined,
      headers: request.headers,
      address: request.socket.remoteAddress ?? '',
      inexactNumber: false,
    } as unknown as OperationRequest;
    operation.handle(input as never, context).then(
      (reply: Reply) => {
        try {
          sendReply(response, reply);
        } catch (error) {
          fail(response, error);
        }
      },
      (error) => fail(response, error),
    );
  }

  return {
    match: pathMatcher(operation.path),
    take(request, response, pathInputs, queryInputs) {
      if (isSigned(request, operation.authentication)) return false;
      const inputs = { params: pathInputs, query: queryInputs };
      try {
        if (isPublic) publicGets.take(request.socket.remoteAddress ?? '');
        const { authorization } = request.headers;
        const principal = authenticate(context.access, operation.authentication, authorization);
        if (principal instanceof Promise) {
          principal
            .then((known) => handle(request, response, known, inputs))
            .catch((error) => fail(response, error));
        } else {
          handle(request, response, principal, inputs);
        }
      } catch (error) {
        fail(response, error);
      }
      return true;
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** null: not plain, or a name twice. */
function readQuery(url: string, from: number): Inputs | null {
  const inputs: Record<string, string> = {};
  for (let start = from; start < url.length; ) {
    const next = url.indexOf('&', start);
    const end = next < 0 ? url.length : next;
    const equals = url.indexOf('=', start);
    if (equals < 0 || equals > end) return null;
    const name = url.slice(start, equals);
    const value = url.slice(equals + 1, end);
    if (!plainValue.test(value) || !/^[a-z_]+$/.test(name) || name in inputs) return null;
    inputs[name] = value;
    start = end + 1;
  }
  return inputs;
}

/** Matches a path segment by segment; null where another path, or a character that is not plain. */
function pathMatcher(pattern: string): Route['match'] {
  const parts = pattern.split('/').slice(1);
  const names = parts.map((part) => /^\{([a-z_]+)\}$/.exec(part)?.[1] ?? null);
  const prefix = `/${parts
    .slice(
      0,
      names.findIndex((name) => name !== null),
    )
    .join('/')}/`;
  const first = prefix.split('/').length - 2;
  return (path) => {
    if (!path.startsWith(prefix)) return null;
    const inputs: Record<string, string> = {};
    let start = prefix.length;
    for (let index = first; index < parts.length; index += 1) {
      const slash = path.indexOf('/', start);
      const isLast = index === parts.length - 1;
      if (isLast !== slash < 0) return null;
      const value = isLast ? path.slice(start) : path.slice(start, slash);
      const name = names[index] as string | null;
      if (name === null ? value !== parts[index] : value === '' || !plainValue.test(value)) return null;
      if (name !== null) inputs[name] = value;
      start = slash + 1;
    }
    return inputs;
  };
}

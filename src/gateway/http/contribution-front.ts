import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../access/principal.ts';
import { parseBody } from '../body/parse.ts';
import { PublicError } from '../errors.ts';
import type { Operation, OperationRequest } from '../operation.ts';
import { sendContribution } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { httpLimits } from './limits.ts';
import type { MountTools } from './mount.ts';
import { bodyFault } from './transport.ts';
import { compileValidator } from './validate.ts';

/** Takes the request if it is one of the front's own; false: it is for the router. */
export type ContributionFront = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The contribution routes, on Node's server itself: nearly all requests are theirs, and a router, hooks and request
 * objects of a framework cost them a third of their time. The steps, checks and errors are those of every other route.
 */
export function createContributionFront(
  operations: readonly Operation[],
  tools: MountTools,
): ContributionFront {
  const routes = operations.map((operation) => createRoute(operation, tools));
  return (request, response) => {
    if (request.method !== 'POST') return false;
    const url = request.url as string;
    const question = url.indexOf('?');
    const path = question < 0 ? url : url.slice(0, question);
    for (const route of routes) {
      const params = route.match(path);
      if (params === null) continue;
      route.begin(request, response, params);
      return true;
    }
    return false;
  };
}

type RawParams = Readonly<Record<string, string>>;

interface Route {
  /** The path's inputs, still encoded; null: it is another path. */
  match(path: string): RawParams | null;
  begin(request: IncomingMessage, response: ServerResponse, params: RawParams): void;
}

function createRoute(operation: Operation, tools: MountTools): Route {
  const { context, bodies, fail } = tools;
  const { params, body } = operation.input;
  const validateParams = params === undefined ? null : compileValidator(params, 'params');
  const validateBody = body === undefined ? null : compileValidator(body, 'body');
  const mostBytes = operation.limits?.bodyBytes ?? httpLimits.bodyBytes;

  function begin(request: IncomingMessage, response: ServerResponse, rawParams: RawParams): void {
    try {
      const fault = bodyFault(request, mostBytes);
      if (fault !== null) throw new PublicError(fault);
      const principal = authenticate(context.access, operation.authentication, request.headers.authorization);
      if (principal instanceof Promise) {
        principal.then(
          (known) => read(request, response, rawParams, known),
          (error) => fail(response, error),
        );
      } else {
        read(request, response, rawParams, principal);
      }
    } catch (error) {
      fail(response, error);
    }
  }

  function read(
    request: IncomingMessage,
    response: ServerResponse,
    rawParams: RawParams,
    principal: Principal,
  ): void {
    bodies.read(request, mostBytes, (error, bytes) => {
      if (error !== null) return fail(response, error);
      try {
        handle(request, response, rawParams, principal, bytes);
      } catch (fault) {
        fail(response, fault);
      }
    });
  }

  function handle(
    request: IncomingMessage,
    response: ServerResponse,
    rawParams: RawParams,
    principal: Principal,
    bytes: Buffer | null,
  ): void {
    const parsed = bytes === null ? { value: undefined, inexactNumber: false } : parseBody(bytes);
    const input = {
      principal,
      params: validateParams === null ? undefined : validateParams(decodeParams(rawParams)),
      query: undefined,
      body: validateBody === null ? undefined : validateBody(parsed.value),
      headers: request.headers,
      address: '',
      inexactNumber: parsed.inexactNumber,
    } as unknown as OperationRequest;
    operation.handle(input as never, context).then(
      (answer) => {
        try {
          sendContribution(response, answer);
        } catch (error) {
          fail(response, error);
        }
      },
      (error) => fail(response, error),
    );
  }

  return { match: pathMatcher(operation.path), begin };
}

/** Paths of the contribution routes hold one input at most. */
function pathMatcher(pattern: string): Route['match'] {
  const parts = /^([^{]*)\{([a-z_]+)\}([^{]*)$/.exec(pattern);
  if (parts === null) return (path) => (path === pattern ? {} : null);
  const [, prefix, name, suffix] = parts as unknown as [string, string, string, string];
  return (path) => {
    if (!path.startsWith(prefix) || !path.endsWith(suffix)) return null;
    const value = path.slice(prefix.length, path.length - suffix.length);
    return value === '' || value.includes('/') ? null : { [name]: value };
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

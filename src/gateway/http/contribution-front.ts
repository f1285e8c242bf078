import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../access/principal.ts';
import { PublicError } from '../errors.ts';
import { sendContribution } from './answer.ts';
import type { ContributionRoute, RawParams } from './contribution-route.ts';
import type { MountTools } from './mount.ts';
import { authenticateSigned, isSigned } from './signed-request.ts';
import { bodyFault } from './transport.ts';
import { identify } from './wire/route.ts';

/** Takes the request if it is one of the front's own; false: it is for the router. */
export type ContributionFront = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The contribution routes, on Node's server itself: nearly all requests are theirs, and a router, hooks and request
 * objects of a framework cost them a third of their time. The steps, checks and errors are those of every other route.
 * Most requests do not even come here: `wire/` reads the plain ones straight from the socket.
 */
export function createContributionFront(
  routes: readonly ContributionRoute[],
  tools: Pick<MountTools, 'bodies' | 'fail' | 'context'>,
): ContributionFront {
  return (request, response) => {
    if (request.method !== 'POST') return false;
    const url = request.url as string;
    const question = url.indexOf('?');
    const path = question < 0 ? url : url.slice(0, question);
    for (const route of routes) {
      const params = route.match(path);
      if (params === null) continue;
      begin(route, params, request, response, tools);
      return true;
    }
    return false;
  };
}

function begin(
  route: ContributionRoute,
  params: RawParams,
  request: IncomingMessage,
  response: ServerResponse,
  { bodies, fail, context }: Pick<MountTools, 'bodies' | 'fail' | 'context'>,
): void {
  const sink = {
    answer: sendContribution.bind(null, response),
    fail: (error: unknown) => fail(response, error),
  };
  const handle = (principal: Principal, bytes: Buffer | null): void =>
    route.handle({ params, headers: request.headers, principal, bytes }, sink);
  const read = (whole: (bytes: Buffer | null) => void): void =>
    bodies.read(request, route.mostBytes, (error, bytes) => {
      if (error !== null) sink.fail(error);
      else whole(bytes);
    });
  const readFor = (principal: Principal): void => read((bytes) => handle(principal, bytes));
  try {
    const fault = bodyFault(request, route.mostBytes);
    if (fault !== null) throw new PublicError(fault);
    if (isSigned(request, route.authentication)) {
      read((bytes) => {
        authenticateSigned(context.access, route.authentication, request, bytes).then(
          (principal) => handle(principal, bytes),
          sink.fail,
        );
      });
      return;
    }
    identify(sink, () => route.authenticate(request.headers.authorization), readFor);
  } catch (error) {
    sink.fail(error);
  }
}

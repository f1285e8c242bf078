import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendReply } from './answer.ts';
import type { LookupRoute } from './lookup-route.ts';
import type { MountTools } from './mount.ts';
import { isSigned } from './signed-request.ts';

/** Takes the request if it is a plain lookup; false: it is for the router. */
export type LookupFront = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The lookups that every page and game asks for (O12, O13, O20), on Node's server itself; most do not even come here:
 * `wire/` reads the plain ones straight from the socket. The steps, checks and errors are those of every other route, and
 * the router has these routes, too: whatever is unusual about a request (a body, a signature, an encoded character) is its.
 */
export function createLookupFront(
  routes: readonly LookupRoute[],
  { fail, addresses }: Pick<MountTools, 'fail' | 'addresses'>,
): LookupFront {
  return (request, response) => {
    if (request.method !== 'GET' || hasBody(request)) return false;
    for (const route of routes) {
      const inputs = route.match(request.url as string);
      if (inputs === null) continue;
      if (isSigned(request, route.authentication)) return false;
      const { headers } = request;
      const address = addresses.ofRequest(request);
      route.begin(
        { inputs, headers, address, bytes: null },
        {
          answer: (reply) => sendReply(response, reply),
          fail: (error) => fail(response, error),
        },
      );
      return true;
    }
    return false;
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

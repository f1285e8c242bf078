import type { ServerResponse } from 'node:http';
import type { Principal, ServicePrincipal } from '../../access/rights/principal.ts';
import type { GatewayContext, Operation, OperationRequest } from '../api/operation/operation.ts';
import { PublicError } from '../base/errors.ts';
import type { HttpRequest } from '../http/mount.ts';
import { markOpenEnded } from '../http/read-body.ts';
import { ContributionStream, type StreamHost } from '../stream/contribution-stream.ts';
import { HttpStreamTransport } from '../stream/stream-transport.ts';
import { authenticate } from './callers.ts';
import { requireKnownQuery } from './dropped-inputs.ts';

/** Opens a stream of contributions on a request, and answers it for as long as it lasts. */
export function streamHandler(
  operation: Operation,
  {
    context,
    fail,
  }: {
    readonly context: GatewayContext;
    readonly fail: (response: ServerResponse, error: unknown) => void;
  },
  host: StreamHost,
) {
  const { authentication } = operation;
  const open = async (request: HttpRequest<Principal>, response: ServerResponse): Promise<void> => {
    const { raw, caller: principal } = request;
    // A signature covers the body, and this one has no end that could be waited for.
    if (principal === null) throw new PublicError('signature_invalid', 'A stream cannot be signed.');
    requireKnownQuery(operation, raw);
    await operation.handle({ principal } as unknown as OperationRequest as never, context);
    if (response.destroyed) return;
    const { authorization } = raw.headers;
    const transport = new HttpStreamTransport(raw, response);
    const stream = new ContributionStream(host, transport, principal as ServicePrincipal, () =>
      authenticate(context.access, authentication, authorization),
    );
    markOpenEnded(raw);
    transport.begin(stream);
  };
  return (request: HttpRequest<Principal>, response: ServerResponse): void => {
    open(request, response).catch((error) => fail(response, error));
  };
}

import type { ServerResponse } from 'node:http';
import type { AdministratorPrincipal, Principal } from '../../access/rights/principal.ts';
import type { GatewayContext, Operation } from '../api/operation/operation.ts';
import type { Reply } from '../base/reply.ts';
import type { EventStreams, EventStreamTarget } from '../event-stream/event-streams.ts';
import type { HintStreams } from '../event-stream/hint-streams.ts';
import { sendReply } from '../http/answer.ts';
import type { HttpRequest } from '../http/mount.ts';
import type { HttpTools } from '../http/server.ts';
import { authenticate } from './callers.ts';

/** What the operation of an event stream answers: which one it is. */
type EventStreamReply = Reply & { readonly stream: EventStreamTarget | 'hints' };

interface EventStreamTools extends HttpTools {
  readonly context: GatewayContext;
  readonly eventStreams: EventStreams;
  readonly hintStreams: HintStreams;
}

/** Answers a request with events for as long as its client likes. */
export function eventStreamHandler(
  { authentication }: Operation,
  ask: (request: HttpRequest<Principal>, response: ServerResponse) => Promise<Reply>,
  tools: EventStreamTools,
) {
  const begin = async (request: HttpRequest<Principal>, response: ServerResponse): Promise<void> => {
    const { raw, caller } = request;
    const reply = (await ask(request, response)) as EventStreamReply;
    if (raw.method === 'HEAD') return sendReply(response, { status: reply.status });
    const asked = { request: raw, response, address: tools.addresses.ofRequest(raw) };
    if (reply.stream !== 'hints') return tools.eventStreams.begin(reply.stream, asked, tools.publicPlaces);
    const { authorization } = raw.headers;
    const mayGoOn = async (): Promise<unknown> =>
      authenticate(tools.context.access, authentication, authorization);
    tools.hintStreams.begin({ principal: caller as AdministratorPrincipal, mayGoOn }, asked);
  };
  return (request: HttpRequest<Principal>, response: ServerResponse): void => {
    begin(request, response).catch((error) => tools.fail(response, error));
  };
}

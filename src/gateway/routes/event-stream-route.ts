import type { ServerResponse } from 'node:http';
import type { Principal } from '../../access/rights/principal.ts';
import type { Reply } from '../base/reply.ts';
import type { EventStreams, EventStreamTarget } from '../event-stream/event-streams.ts';
import { sendReply } from '../http/answer.ts';
import type { HttpRequest } from '../http/mount.ts';
import type { HttpTools } from '../http/server.ts';

/** What the operation of an event stream answers: which one it is. */
type EventStreamReply = Reply & { readonly stream: EventStreamTarget };

/** Answers a request with events for as long as its client likes. */
export function eventStreamHandler(
  ask: (request: HttpRequest<Principal>, response: ServerResponse) => Promise<Reply>,
  tools: HttpTools & { readonly eventStreams: EventStreams },
) {
  const begin = async (request: HttpRequest<Principal>, response: ServerResponse): Promise<void> => {
    const reply = (await ask(request, response)) as EventStreamReply;
    if (request.raw.method === 'HEAD') return sendReply(response, { status: reply.status });
    const asked = { request: request.raw, response, address: tools.addresses.ofRequest(request.raw) };
    await tools.eventStreams.begin(reply.stream, asked, tools.publicPlaces);
  };
  return (request: HttpRequest<Principal>, response: ServerResponse): void => {
    begin(request, response).catch((error) => tools.fail(response, error));
  };
}

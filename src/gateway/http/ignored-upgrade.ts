import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** What a client says to offer another protocol on its connection (RFC 9110, 7.8; h2c: RFC 7540, 3.2). */
const offers = new Set(['upgrade', 'http2-settings']);

/**
 * Answers a request as if it had offered no other protocol, which a server may always do: some clients, such as Java's,
 * offer h2c with every first request. Node gives such a socket away; this returns it with the bytes of the request,
 * except the offer (docs/decisions/0055).
 * @param head bytes read after the head of the request
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(withoutOffer(request), 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutOffer(request: IncomingMessage): string {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (offers.has(name)) continue;
    const value = name === 'connection' ? otherOptions(rawHeaders[index + 1]!) : rawHeaders[index + 1]!;
    if (name !== 'connection' || value !== '') lines.push(`${rawHeaders[index]}: ${value}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function otherOptions(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !offers.has(option.toLowerCase())).join(', ');
}

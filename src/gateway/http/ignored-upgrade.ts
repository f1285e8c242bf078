import type { IncomingMessage } from 'node:http';

/** What a client says to offer another protocol on its connection (RFC 9110, 7.8; h2c: RFC 7540, 3.2). */
const offers = new Set(['upgrade', 'http2-settings']);

/**
 * The bytes of a request's head without its offer of another protocol, which a server may always ignore: some clients, such as Java's, offer
 * h2c with every first request (docs/decisions/0013).
 */
export function withoutOffer(request: IncomingMessage): Buffer {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (offers.has(name)) continue;
    const value = name === 'connection' ? otherOptions(rawHeaders[index + 1]!) : rawHeaders[index + 1]!;
    if (name !== 'connection' || value !== '') lines.push(`${rawHeaders[index]}: ${value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function otherOptions(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !offers.has(option.toLowerCase())).join(', ');
}

import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { announcesBody, asksForWebsocket } from '../../network/handshake.ts';
import type { Clock } from '../../ports.ts';
import { PublicError } from '../base/errors.ts';
import type { ClientAddresses } from './client-address.ts';
import { leaveInSlices } from './hand-over.ts';
import { httpLimits } from './limits.ts';
import { MessageGuard } from './message-guard.ts';
import { isPublicFeedPath, Places } from './places.ts';
import { endGently, sendRawError } from './raw-answer.ts';
import type { RefusalDelays } from './refusal-delays.ts';
import { transportFault } from './transport.ts';

/** What a client must say instead (RFC 9110, 15.5.22; RFC 6455, 4.4). */
const upgradeOffer = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13'];

interface FeedProxyOptions {
  readonly fanoutHost: string;
  readonly fanoutPort: number;
  readonly addresses: ClientAddresses;
  readonly refusalDelays: RefusalDelays;
  readonly socketsPerAddress: number;
  readonly publicPlaces: Places;
  readonly maxMessageBytes: number;
}

/** Passes websocket upgrades of the feeds to the fan-out, which does handshake and closing. */
export class FeedProxy {
  readonly #options: FeedProxyOptions;
  readonly #open = new Set<Duplex>();
  /** Places of feeds that take a credential. */
  readonly #places: Places;
  readonly #guards = new Set<MessageGuard>();
  #draining = false;

  constructor(options: FeedProxyOptions) {
    this.#options = options;
    this.#places = new Places(httpLimits.proxiedSockets, options.socketsPerAddress);
  }

  get sockets(): number {
    return this.#open.size;
  }

  onUpgrade(request: IncomingMessage, client: Socket, head: Buffer): void {
    client.on('error', () => client.destroy());
    const refusal = this.#refusal(request);
    if (refusal !== null) {
      sendRawError(client, refusal, refusal.code === 'upgrade_required' ? upgradeOffer : []);
      return;
    }
    const address = this.#options.addresses.ofRequest(request);
    const places = isPublicFeedPath(requestPath(request)) ? this.#options.publicPlaces : this.#places;
    const full = places.take(address);
    if (full !== null) {
      sendRawError(client, full);
      return;
    }
    this.#open.add(client);
    client.once('close', () => {
      this.#open.delete(client);
      places.release(address);
    });
    this.#pass(request, address, client, head);
  }

  /** No new sockets. The open ones are closed by the fan-out when its own time comes, or by end(). */
  drain(): void {
    this.#draining = true;
  }

  /** Every socket gets a close that says to come back, where another gateway takes it. */
  async leave(clock: Clock): Promise<void> {
    this.drain();
    const leave = (guard: MessageGuard): void => {
      if (this.#guards.has(guard)) guard.leave();
    };
    await leaveInSlices(this.#guards, leave, clock);
  }

  end(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #refusal(request: IncomingMessage): PublicError | null {
    const fault = transportFault(request);
    if (fault !== null) return new PublicError(fault);
    // The fan-out checks the rest of the handshake.
    const { method = '', httpVersion, headersDistinct: headers } = request;
    if (!asksForWebsocket({ method, httpVersion, headers })) return new PublicError('upgrade_required');
    // Its frames would be read from another place than its body ends.
    if (announcesBody(headers)) return new PublicError('malformed_http');
    return this.#draining ? new PublicError('shutting_down') : null;
  }

  #pass(request: IncomingMessage, address: string, client: Socket, head: Buffer): void {
    const { fanoutHost, fanoutPort, maxMessageBytes, refusalDelays } = this.#options;
    const upstream = connect(fanoutPort, fanoutHost);
    upstream.setNoDelay(true);
    client.setNoDelay(true);
    client.setTimeout(0);
    const tooLate = setTimeout(
      () => upstream.destroy(new Error('timeout')),
      httpLimits.fanoutConnectTimeoutMs,
    );
    upstream.once('connect', () => {
      clearTimeout(tooLate);
      // The bytes that came, whatever they mean.
      upstream.write(headOf(request, address), 'latin1');
      const guard = new MessageGuard(maxMessageBytes, (send) => refusalDelays.send(address, send));
      this.#guards.add(guard);
      client.once('close', () => this.#guards.delete(guard));
      if (head.length > 0) guard.write(head);
      upstream.pipe(client, { end: false });
      client.pipe(guard).pipe(upstream);
    });
    upstream.once('error', () => {
      clearTimeout(tooLate);
      if (upstream.bytesRead === 0) sendRawError(client, new PublicError('overloaded'));
      else client.destroy();
    });
    // Who does not read the last of it is not waited for.
    upstream.once('close', () => endGently(client));
    client.once('close', () => upstream.destroy());
  }
}

/** The request as it came, but for the client's address: the fan-out counts by our statement of it. */
function headOf(request: IncomingMessage, address: string): string {
  const lines = [`GET ${request.url} HTTP/1.1`];
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === 'x-forwarded-for') continue;
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  lines.push(`X-Forwarded-For: ${address}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Paths that belong to the fan-out alone: O4, O21, O22. */
export function isFeedPath(path: string): boolean {
  return path.startsWith('/events/') || path.startsWith('/event/') || path === '/v1/jackpot/status';
}

/** Whether a request that offers an upgrade is the fan-out's: a plain GET of the public feed is a stream. */
export function isFeedRequest(request: IncomingMessage): boolean {
  const path = requestPath(request);
  if (isFeedPath(path)) return true;
  const { method = '', httpVersion, headersDistinct: headers } = request;
  return isPublicFeedPath(path) && asksForWebsocket({ method, httpVersion, headers });
}

function requestPath(request: IncomingMessage): string {
  return (request.url as string).split('?', 1)[0] as string;
}

/** What a client says to offer another protocol on its connection (RFC 9110, 7.8; h2c: RFC 7540, 3.2). */
const offers = new Set(['upgrade', 'http2-settings']);

/**
 * The head without its offer of another protocol, which a server may ignore: some clients, such as Java's,
 * offer h2c with every first request (docs/decisions/0013).
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

import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PublicError } from '../errors.ts';
import { httpLimits } from './limits.ts';
import { sendRawError } from './raw-answer.ts';
import { transportFault } from './transport.ts';

/** Passes websocket upgrades of the feeds to the fan-out, byte by byte; it does the handshake and the closing. */
export class FeedProxy {
  readonly #fanoutPort: number;
  readonly #open = new Set<Duplex>();
  #draining = false;

  constructor(fanoutPort: number) {
    this.#fanoutPort = fanoutPort;
  }

  get sockets(): number {
    return this.#open.size;
  }

  onUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    client.on('error', () => client.destroy());
    const refusal = this.#refusal(request);
    if (refusal !== null) {
      sendRawError(client, refusal, refusal.code === 'upgrade_required' ? ['Upgrade: websocket'] : []);
      return;
    }
    this.#open.add(client);
    client.once('close', () => this.#open.delete(client));
    this.#pass(request, client as Socket, head);
  }

  /** No new sockets. The open ones are closed by the fan-out when its own time comes, or by end(). */
  drain(): void {
    this.#draining = true;
  }

  end(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #refusal(request: IncomingMessage): PublicError | null {
    const fault = transportFault(request);
    if (fault !== null) return new PublicError(fault);
    if (request.headers.upgrade?.toLowerCase() !== 'websocket' || request.method !== 'GET') {
      return new PublicError('upgrade_required');
    }
    if (this.#draining) return new PublicError('shutting_down');
    return this.#open.size >= httpLimits.proxiedSockets ? new PublicError('overloaded') : null;
  }

  #pass(request: IncomingMessage, client: Socket, head: Buffer): void {
    const upstream = connect(this.#fanoutPort, '127.0.0.1');
    upstream.setNoDelay(true);
    client.setNoDelay(true);
    client.setTimeout(0);
    const tooLate = setTimeout(
      () => upstream.destroy(new Error('timeout')),
      httpLimits.fanoutConnectTimeoutMs,
    );
    upstream.once('connect', () => {
      clearTimeout(tooLate);
      upstream.write(headOf(request, client));
      if (head.length > 0) upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.once('error', () => {
      clearTimeout(tooLate);
      if (upstream.bytesRead === 0) sendRawError(client, new PublicError('overloaded'));
      else client.destroy();
    });
    upstream.once('close', () => client.destroySoon());
    client.once('close', () => upstream.destroy());
  }
}

/** The request as it came, but for where it came from. */
function headOf(request: IncomingMessage, client: Socket): string {
  const lines = [`GET ${request.url} HTTP/1.1`];
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === 'x-forwarded-for') continue;
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  lines.push(`X-Forwarded-For: ${client.remoteAddress ?? ''}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

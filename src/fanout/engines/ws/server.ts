import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { crash } from '../../../lib/crash.ts';
import { type HandshakeFault, handshakeFault } from '../../../network/handshake.ts';
import {
  type HttpAnswer,
  matchPath,
  type SocketRoute,
  type SocketServer,
  type SocketServerOptions,
  type UpgradeAnswer,
  type UpgradeRequest,
} from '../engine.ts';
import { Topics, WsSocket } from './socket.ts';

/** How long a request may take to arrive, and an answer of the client to a close frame. */
const requestMs = 10_000;
const closeMs = 2_000;
/** How long before its cut a client is pinged. */
const pingMarginMs = 8_000;
/** How often silent clients are looked for within the time after which they are cut. */
const checksPerTimeout = 8;

/** ws on Node's own HTTP server: for machines on which uWebSockets.js cannot be loaded. */
export class WsServer<Data> implements SocketServer<Data> {
  readonly name = 'ws';
  readonly #topics = new Topics<Data>();
  readonly #open = new Set<WsSocket<Data>>();
  /** Connections that have asked for an upgrade, or were upgraded. */
  readonly #connections = new Set<Socket>();
  readonly #http = createServer({ headersTimeout: requestMs, requestTimeout: requestMs });
  #silenceTimer: NodeJS.Timeout | undefined;

  publish(topic: string, frame: Buffer): void {
    this.#topics.publish(topic, frame);
  }

  listen(options: SocketServerOptions<Data>, host: string, port: number): Promise<number> {
    const websocketOptions = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: options.maxMessageBytes,
      // Missing in the declarations.
      closeTimeout: closeMs,
    };
    const websockets = new WebSocketServer(websocketOptions);
    this.#http.on('request', (request, response) => answerRequest(response, options, request));
    this.#http.on('upgrade', (request, socket, head) =>
      this.#upgrade(options, websockets, { request, socket: socket as Socket, head }),
    );
    this.#watchSilence(options.idleTimeoutSeconds * 1000);
    return new Promise((resolve, reject) => {
      this.#http.once('error', (error) => reject(whyNotListening(error, host, port)));
      const reusePort = port !== 0 && mayShareNamedPorts();
      // The declarations are of the oldest Node, which does not know `reusePort`.
      const { listenFd = null } = options;
      const where = listenFd === null ? { host, port, exclusive: true, reusePort } : { fd: listenFd };
      this.#http.listen(where, () => resolve((this.#http.address() as AddressInfo).port));
    });
  }

  stopListening(): void {
    this.#http.close();
  }

  close(): void {
    this.stopListening();
    clearInterval(this.#silenceTimer);
    for (const socket of [...this.#open]) socket.close();
    for (const connection of this.#connections) connection.destroy();
    this.#http.closeAllConnections();
  }

  #upgrade(
    options: SocketServerOptions<Data>,
    websockets: WebSocketServer,
    { request, socket, head }: Upgrade,
  ): void {
    socket.on('error', () => socket.destroy());
    this.#connections.add(socket);
    socket.once('close', () => this.#connections.delete(socket));
    const fault = faultOf(request);
    const found = fault === null ? routeOf(options.routes, pathOf(request)) : null;
    if (found === null) {
      writeAnswer(socket, options.otherwise(pathOf(request), fault ?? 'upgrade_required'));
      return;
    }
    const { route, parameters } = found;
    const finish = (answer: UpgradeAnswer<Data>): void => {
      if (socket.destroyed) return;
      if (answer.kind === 'refused') {
        writeAnswer(socket, answer.answer);
        return;
      }
      // ws would refuse a list, and choose the first subprotocol by itself.
      request.headers.upgrade = 'websocket';
      delete request.headers['sec-websocket-protocol'];
      websockets.handleUpgrade(request, socket, head, (websocket) => {
        const opened = new WsSocket({ websocket, socket, data: answer.data }, route, {
          topics: this.#topics,
          maxBackpressureBytes: options.maxBackpressureBytes,
          ended: (ended) => this.#open.delete(ended),
        });
        this.#open.add(opened);
        opened.open();
      });
    };
    route
      .admit(requestOf(request, parameters))
      .then((answer) => setImmediate(finish, answer))
      .catch(crash);
  }

  #watchSilence(cutAfterMs: number): void {
    const pingAfterMs = cutAfterMs - Math.min(pingMarginMs, cutAfterMs / 2);
    this.#silenceTimer = setInterval(() => {
      const nowMs = performance.now();
      for (const socket of [...this.#open]) socket.checkSilence(nowMs, pingAfterMs, cutAfterMs);
    }, cutAfterMs / checksPerTimeout);
  }
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** What the client has sent after its request. */
  readonly head: Buffer;
}

function faultOf({
  method = '',
  httpVersion,
  headersDistinct: headers,
}: IncomingMessage): HandshakeFault | null {
  return handshakeFault({ method, httpVersion, headers });
}

function routeOf<Data>(routes: readonly SocketRoute<Data>[], path: string) {
  for (const route of routes) {
    const parameters = matchPath(route.path, path);
    if (parameters !== null) return { route, parameters };
  }
  return null;
}

function requestOf(
  { url = '', headersDistinct: headers, socket }: IncomingMessage,
  parameters: readonly string[],
): UpgradeRequest {
  const mark = url.indexOf('?');
  return {
    parameters,
    query: mark < 0 ? '' : url.slice(mark + 1),
    origin: headers.origin?.[0] ?? '',
    host: headers.host?.[0] ?? '',
    peer: socket.remoteAddress ?? '',
    forwarded: headers['x-forwarded-for']?.join(',') ?? '',
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function answerRequest<Data>(
  response: ServerResponse,
  { otherwise }: SocketServerOptions<Data>,
  request: IncomingMessage,
): void {
  const { status, reason, headers, body } = otherwise(
    pathOf(request),
    faultOf(request) ?? 'upgrade_required',
  );
  response.writeHead(status, reason, [...headers.flat(), 'Connection', 'close']);
  response.end(body);
}

function writeAnswer(socket: Socket, { status, reason, headers, body }: HttpAnswer): void {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const framing = ['Connection: close', `Content-Length: ${Buffer.byteLength(body)}`];
  socket.end([`HTTP/1.1 ${status} ${reason}`, ...lines, ...framing, '', body].join('\r\n'));
  // The client is not read any more: what it sends is thrown away, so that its end is seen.
  socket.resume();
  setTimeout(() => socket.destroy(), closeMs).unref();
}

function whyNotListening(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const sharing = mayShareNamedPorts()
    ? ''
    : ' The websocket engine ws shares a port only on Linux with Node 22.12 or newer.';
  return new Error(`The fan-out cannot listen on port ${port} of ${host}: it is taken.${sharing}`);
}

/** The first releases of Node in which several processes can listen on one port without a common parent. */
const firstMinorOf: Readonly<Record<number, number>> = { 22: 12, 23: 1 };

/** Whether several processes can listen on a named port here. uWebSockets.js always can. */
export function mayShareNamedPorts(version = process.versions.node, platform = process.platform): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return platform === 'linux' && (major > 23 || minor >= (firstMinorOf[major] ?? Number.POSITIVE_INFINITY));
}

import { crash } from '../../../lib/crash.ts';
import { addressToReach } from '../../../lib/loopback.ts';
import { type HeaderValues, handshakeFault } from '../../../network/handshake.ts';
import type {
  HttpAnswer,
  SocketRoute,
  SocketServer,
  SocketServerOptions,
  UpgradeAnswer,
  UpgradeRequest,
} from '../engine.ts';
import type {
  EngineModule,
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_listen_socket,
  WebSocket,
} from './library.ts';
import { UpgradeCork } from './upgrade-cork.ts';

/** The engine refuses every other one by itself. */
const httpVersion = '1.1';
const sharedPort = 0;
const exclusivePort = 1;
/** The engine takes options beside a host; its declarations leave that form out. */
type ListenOnHost = (
  host: string,
  port: number,
  options: number,
  listening: (socket: us_listen_socket | false) => void,
) => unknown;

type UpgradeContext = Parameters<HttpResponse['upgrade']>[4];

/** What the engine keeps of a socket. */
interface SocketData<Data> {
  readonly data: Data;
}

/** uWebSockets.js. Its own sockets are passed on as they are. */
export class UwebsocketsServer<Data> implements SocketServer<Data> {
  readonly name = 'uwebsockets';
  readonly #engine: EngineModule;
  readonly #app: TemplatedApp;
  readonly #upgradeCork = new UpgradeCork();
  #listening: us_listen_socket | null = null;

  constructor(engine: EngineModule) {
    this.#engine = engine;
    this.#app = engine.App();
  }

  publish(topic: string, frame: Buffer): void {
    this.#app.publish(topic, frame, false);
  }

  listen(options: SocketServerOptions<Data>, host: string, port: number): Promise<number> {
    for (const route of options.routes) this.#serve(route, options);
    this.#upgradeCork.serve(this.#app);
    this.#app.any('/*', (response, request) => {
      const asked = { method: request.getCaseSensitiveMethod(), httpVersion, headers: headersOf(request) };
      write(response, options.otherwise(request.getUrl(), handshakeFault(asked) ?? 'upgrade_required'));
    });
    return new Promise((resolve, reject) => {
      // Processes may share a named port, as is the engine's default. A free one must be our own: a shared
      // bind to port 0 can be given a port on which another fan-out listens already.
      const listenOptions = port === 0 ? exclusivePort : sharedPort;
      (this.#app.listen as unknown as ListenOnHost).call(this.#app, host, port, listenOptions, (socket) => {
        if (socket === false) {
          reject(new Error(`The fan-out cannot listen on port ${port} of ${host}: it is taken.`));
          return;
        }
        this.#listening = socket;
        const listensOn = this.#engine.us_socket_local_port(socket);
        this.#upgradeCork.open(addressToReach(host), listensOn);
        resolve(listensOn);
      });
    });
  }

  stopListening(): void {
    if (this.#listening !== null) this.#engine.us_listen_socket_close(this.#listening);
    this.#listening = null;
  }

  close(): void {
    this.stopListening();
    this.#upgradeCork.close();
    this.#app.close();
  }

  #serve(route: SocketRoute<Data>, options: SocketServerOptions<Data>): void {
    this.#app.ws<SocketData<Data>>(route.path, {
      compression: this.#engine.DISABLED,
      maxPayloadLength: options.maxMessageBytes,
      maxBackpressure: options.maxBackpressureBytes,
      idleTimeout: options.idleTimeoutSeconds,
      sendPingsAutomatically: true,
      upgrade: (response, request, context) => {
        const headers = headersOf(request);
        const fault = handshakeFault({ method: 'GET', httpVersion, headers });
        if (fault !== null) return write(response, options.otherwise(request.getUrl(), fault));
        const asked = requestOf(route.path, request, { headers, peer: peerOf(response) });
        this.#upgrade(route, response, asked, { key: headers['sec-websocket-key']?.[0] ?? '', context });
      },
      open: (socket: WebSocket<SocketData<Data>>) => route.opened(socket, socket.getUserData().data),
      message: (socket: WebSocket<SocketData<Data>>, bytes, isBinary) =>
        route.message(socket.getUserData().data, Buffer.from(bytes), isBinary),
      dropped: (socket: WebSocket<SocketData<Data>>) => route.dropped(socket.getUserData().data),
      drain: (socket: WebSocket<SocketData<Data>>) => route.drained(socket.getUserData().data),
      close: (socket: WebSocket<SocketData<Data>>, code) => route.closed(socket.getUserData().data, code),
    });
  }

  #upgrade(
    route: SocketRoute<Data>,
    response: HttpResponse,
    request: UpgradeRequest,
    { key, context }: { readonly key: string; readonly context: UpgradeContext },
  ): void {
    let aborted = false;
    response.onAborted(() => {
      aborted = true;
    });
    const finish = (answer: UpgradeAnswer<Data>): void => {
      if (aborted) return;
      if (answer.kind === 'refused') {
        response.cork(() => write(response, answer.answer));
        return;
      }
      const socketData = { data: answer.data };
      this.#upgradeCork.run(() => response.upgrade<SocketData<Data>>(socketData, key, '', '', context));
    };
    // Never within the engine's own call: another connection's request may be half read then.
    route
      .admit(request)
      .then((answer) => setImmediate(finish, answer))
      .catch(crash);
  }
}

/** The request is gone after the engine's call. */
function requestOf(
  path: string,
  request: HttpRequest,
  { headers, peer }: { readonly headers: HeaderValues; readonly peer: string },
): UpgradeRequest {
  return {
    parameters: Array.from(path.matchAll(/:/g), (_, index) => request.getParameter(index) ?? ''),
    query: request.getQuery() ?? '',
    origin: headers.origin?.[0] ?? '',
    host: headers.host?.[0] ?? '',
    peer,
    forwarded: headers['x-forwarded-for']?.join(',') ?? '',
  };
}

function peerOf(response: HttpResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString('latin1');
}

function headersOf(request: HttpRequest): HeaderValues {
  const headers: Record<string, string[]> = Object.create(null);
  request.forEach((name, value) => {
    const values = headers[name];
    if (values === undefined) headers[name] = [value];
    else values.push(value);
  });
  return headers;
}

/** Call it corked, or within the engine's own call. */
function write(response: HttpResponse, { status, reason, headers, body }: HttpAnswer): void {
  response.writeStatus(`${status} ${reason}`);
  for (const [name, value] of headers) response.writeHeader(name, value);
  response.end(body, true);
}

import { crash } from '../../../lib/crash.ts';
import { addressToReach } from '../../../lib/listen-address.ts';
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

/** uWebSockets.js. Its own sockets are passed on as they are: nothing lies between the feeds and the engine. */
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
    this.#app.any('/*', (response, request) => write(response, options.otherwise(request.getUrl())));
    return new Promise((resolve, reject) => {
      // Several processes may share a named port: the engine's default lets them. Any free port must be one of our own, for
      // a shared bind to port 0 can be given a port on which another fan-out listens already.
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
      upgrade: (response, request, context) => this.#upgrade(route, response, request, context),
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
    request: HttpRequest,
    context: UpgradeContext,
  ): void {
    let aborted = false;
    response.onAborted(() => {
      aborted = true;
    });
    // The request is gone after this call returns.
    const key = request.getHeader('sec-websocket-key');
    const protocol = request.getHeader('sec-websocket-protocol');
    const extensions = request.getHeader('sec-websocket-extensions');
    const finish = (answer: UpgradeAnswer<Data>): void => {
      if (aborted) return;
      if (answer.kind === 'refused') {
        response.cork(() => write(response, answer.answer));
        return;
      }
      const socketData = { data: answer.data };
      this.#upgradeCork.run(() =>
        response.upgrade<SocketData<Data>>(socketData, key, protocol, extensions, context),
      );
    };
    // Never within the engine's own call: another connection's request may be half read then.
    route
      .admit(requestOf(route.path, request, peerOf(response)))
      .then((answer) => setImmediate(finish, answer))
      .catch(crash);
  }
}

function requestOf(path: string, request: HttpRequest, peer: string): UpgradeRequest {
  return {
    parameters: Array.from(path.matchAll(/:/g), (_, index) => request.getParameter(index) ?? ''),
    query: request.getQuery() ?? '',
    origin: request.getHeader('origin'),
    host: request.getHeader('host'),
    peer,
    forwarded: forwardedOf(request),
  };
}

function peerOf(response: HttpResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString('latin1');
}

/** Each proxy writes behind what came to it, be it in the same line or in a line of its own. */
function forwardedOf(request: HttpRequest): string {
  const lines: string[] = [];
  request.forEach((name, value) => {
    if (name === 'x-forwarded-for') lines.push(value);
  });
  return lines.join(',');
}

/** Call it corked, or within the engine's own call. */
function write(response: HttpResponse, { status, reason, headers, body }: HttpAnswer): void {
  response.writeStatus(`${status} ${reason}`);
  for (const [name, value] of headers) response.writeHeader(name, value);
  response.end(body, true);
}

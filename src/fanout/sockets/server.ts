import { crash } from '../../lib/crash.ts';
import type { TrustedProxies } from '../../network/trusted-proxies.ts';
import type { Admission, Feed, FeedPorts } from '../feeds/feed.ts';
import { feeds } from '../feeds/index.ts';
import { engineMessageBytes, idleTimeoutSeconds, slowAtBytes } from '../limits.ts';
import type { Hub } from '../publish/hub.ts';
import { type AdmissionPorts, admissionOf } from './admission.ts';
import { handleClientMessage } from './client-messages.ts';
import { closeCodes } from './close-codes.ts';
import { Connection, type SocketData } from './connection.ts';
import {
  type HttpRequest,
  type HttpResponse,
  loadEngine,
  type TemplatedApp,
  type us_listen_socket,
  type WebSocket,
} from './engine.ts';
import { refuse } from './upgrade.ts';
import { UpgradeCork } from './upgrade-cork.ts';

const loopback = '127.0.0.1';
const sharedPort = 0;
const exclusivePort = 1;
/** The engine takes options beside a host; its declarations leave that form out. */
type ListenOnHost = (
  host: string,
  port: number,
  options: number,
  listening: (socket: us_listen_socket | false) => void,
) => unknown;

export interface FeedServerPorts extends FeedPorts, AdmissionPorts {
  readonly hub: Hub;
  /** Loopback among them: nobody else reaches this port. */
  readonly proxies: TrustedProxies;
}

type UpgradeContext = Parameters<HttpResponse['upgrade']>[4];

/** The feeds' port: upgrades, and what sockets say. What they lead to is attached after the engine, because it publishes on it. */
export class FeedServer {
  readonly #engine = loadEngine();
  readonly #app: TemplatedApp = this.#engine.App();
  readonly #upgradeCork = new UpgradeCork();
  #listening: us_listen_socket | null = null;

  publish(topic: string, frame: Buffer): void {
    this.#app.publish(topic, frame, false);
  }

  /** Listens on loopback; port 0 takes any free one for itself. Resolves to the port. */
  listen(ports: FeedServerPorts, port: number): Promise<number> {
    for (const feed of feeds) for (const path of feed.paths) this.#serve(feed, path, ports);
    this.#upgradeCork.serve(this.#app);
    this.#app.any('/*', (response, request) => {
      refuse(response, isFeedPath(request.getUrl()) ? 'upgrade_required' : 'route_not_found');
    });
    return new Promise((resolve, reject) => {
      // Several processes may share a named port: the engine's default lets them. Any free port must be one of our own, for
      // a shared bind to port 0 can be given a port on which another fan-out listens already.
      const listenOptions = port === 0 ? exclusivePort : sharedPort;
      (this.#app.listen as unknown as ListenOnHost).call(
        this.#app,
        loopback,
        port,
        listenOptions,
        (socket) => {
          if (socket === false) {
            reject(new Error(`The fan-out cannot listen on port ${port} of ${loopback}: it is taken.`));
            return;
          }
          this.#listening = socket;
          const listensOn = this.#engine.us_socket_local_port(socket);
          this.#upgradeCork.open(listensOn);
          resolve(listensOn);
        },
      );
    });
  }

  stopListening(): void {
    if (this.#listening !== null) this.#engine.us_listen_socket_close(this.#listening);
    this.#listening = null;
  }

  /** Cuts whatever is still open. */
  close(): void {
    this.stopListening();
    this.#upgradeCork.close();
    this.#app.close();
  }

  #serve(feed: Feed, path: string, ports: FeedServerPorts): void {
    this.#app.ws<SocketData>(path, {
      compression: this.#engine.DISABLED,
      maxPayloadLength: engineMessageBytes,
      maxBackpressure: slowAtBytes,
      idleTimeout: idleTimeoutSeconds,
      sendPingsAutomatically: true,
      upgrade: (response, request, context) =>
        this.#upgrade({ feed, path, ports }, response, request, context),
      open: (socket: WebSocket<SocketData>) => {
        const { connection } = socket.getUserData();
        connection.socket = socket;
        ports.sockets.open(connection);
        const { credential, scope } = connection;
        if (credential !== null && scope !== null) ports.sockets.enter(connection, credential, scope);
      },
      message: (socket: WebSocket<SocketData>, bytes, isBinary) => {
        const { connection } = socket.getUserData();
        const fault = handleClientMessage(ports, feed, connection, { bytes, isBinary }, ports.nowMs());
        if (fault !== null) ports.close(connection, fault);
      },
      dropped: (socket: WebSocket<SocketData>) => ports.hub.missedUpdate(socket.getUserData().connection),
      drain: (socket: WebSocket<SocketData>) => ports.sockets.pump(socket.getUserData().connection),
      close: (socket: WebSocket<SocketData>, code) => {
        const { connection } = socket.getUserData();
        // The gateway's word for a client whose message it did not let pass.
        if (code === closeCodes.too_big && connection.closing === null)
          ports.metrics.closes.inc({ reason: 'too_big' });
        ports.sockets.closed(connection);
      },
    });
  }

  #upgrade(
    { feed, path, ports }: { readonly feed: Feed; readonly path: string; readonly ports: FeedServerPorts },
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
    const input = {
      parameters: Array.from(path.matchAll(/:/g), (_, index) => request.getParameter(index) ?? ''),
      query: request.getQuery() ?? '',
      origin: request.getHeader('origin'),
      host: request.getHeader('host'),
      address: ports.proxies.clientBehind(loopback, forwardedOf(request)),
    };
    const answer = (admission: Admission): void => {
      if (admission.kind === 'refused') {
        ports.metrics.refusedUpgrades.inc({ code: admission.code });
        if (!aborted) response.cork(() => refuse(response, admission.code, admission.retryAfterSeconds));
        return;
      }
      if (aborted) return;
      const connection = new Connection(feed.listens, input.address, ports.nowMs());
      if (admission.kind === 'admitted') {
        connection.credential = admission.credential;
        connection.scope = admission.scope;
      }
      this.#upgradeCork.run(() =>
        response.upgrade<SocketData>({ connection }, key, protocol, extensions, context),
      );
    };
    // Never within the engine's own call: another connection's request may be half read then.
    admissionOf(feed, ports, input)
      .catch((error: unknown): Admission => {
        ports.alarm('An upgrade met a bug.', error);
        return { kind: 'refused', code: 'internal_error' };
      })
      .then((admission) => setImmediate(answer, admission))
      .catch(crash);
  }
}

/** Each proxy writes behind what came to it, be it in the same line or in a line of its own. */
function forwardedOf(request: HttpRequest): string {
  const lines: string[] = [];
  request.forEach((name, value) => {
    if (name === 'x-forwarded-for') lines.push(value);
  });
  return lines.join(',');
}

function isFeedPath(path: string): boolean {
  const parts = path.split('/');
  return feeds.some(({ paths }) =>
    paths.some((pattern) => {
      const wanted = pattern.split('/');
      return (
        wanted.length === parts.length &&
        wanted.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
      );
    }),
  );
}

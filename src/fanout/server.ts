import type { ErrorCode } from '../contracts/errors.ts';
import { takeClientMessage } from './client-messages.ts';
import { Connection, type Credential, type SocketData } from './connection.ts';
import {
  type HttpRequest,
  type HttpResponse,
  loadEngine,
  type TemplatedApp,
  type us_listen_socket,
  type WebSocket,
} from './engine.ts';
import type { Feed, FeedPorts } from './feeds/feed.ts';
import { feeds } from './feeds/index.ts';
import type { Hub } from './hub.ts';
import { engineMessageBytes, idleTimeoutSeconds, slowAtBytes } from './limits.ts';
import type { FanoutMetrics } from './metrics.ts';
import type { Scope } from './scope.ts';
import { refuse } from './upgrade.ts';

const sharedPort = 0;
const exclusivePort = 1;
/** The engine takes options beside a host; its declarations leave that form out. */
type ListenOnHost = (
  host: string,
  port: number,
  options: number,
  listening: (socket: us_listen_socket | false) => void,
) => unknown;

export interface FeedServerPorts extends FeedPorts {
  readonly metrics: FanoutMetrics;
  nowMs(): number;
  /** Null when feeds can be served; otherwise what new sockets are told. */
  unready(): ErrorCode | null;
  readonly socketsLimit: number;
}

type UpgradeContext = Parameters<HttpResponse['upgrade']>[4];

/** The feeds' port: upgrades, and what sockets say. The hub is attached after the engine, because it publishes on it. */
export class FeedServer {
  readonly #engine = loadEngine();
  readonly #app: TemplatedApp;
  readonly #ports: FeedServerPorts;
  #hub: Hub | null = null;
  #listening: us_listen_socket | null = null;

  constructor(ports: FeedServerPorts) {
    this.#ports = ports;
    this.#app = this.#engine.App();
  }

  publish(topic: string, frame: Buffer): void {
    this.#app.publish(topic, frame, false);
  }

  /** Listens on loopback; port 0 takes any free one for itself. Resolves to the port. */
  listen(hub: Hub, port: number): Promise<number> {
    this.#hub = hub;
    for (const feed of feeds) this.#serve(feed, hub);
    this.#app.any('/*', (response, request) => {
      const isFeed = feeds.some((feed) => feed.path === request.getUrl());
      refuse(response, isFeed ? 'upgrade_required' : 'route_not_found');
    });
    return new Promise((resolve, reject) => {
      // Several processes may share a named port: the engine's default lets them. Any free port must be one of our own, for
      // a shared bind to port 0 can be given a port on which another fan-out listens already.
      const listenOptions = port === 0 ? exclusivePort : sharedPort;
      (this.#app.listen as unknown as ListenOnHost).call(
        this.#app,
        '127.0.0.1',
        port,
        listenOptions,
        (socket) => {
          if (socket === false) {
            reject(new Error(`The fan-out cannot listen on port ${port} of 127.0.0.1: it is taken.`));
            return;
          }
          this.#listening = socket;
          resolve(this.#engine.us_socket_local_port(socket));
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
    this.#app.close();
  }

  #serve(feed: Feed, hub: Hub): void {
    this.#app.ws<SocketData>(feed.path, {
      compression: this.#engine.DISABLED,
      maxPayloadLength: engineMessageBytes,
      maxBackpressure: slowAtBytes,
      idleTimeout: idleTimeoutSeconds,
      sendPingsAutomatically: true,
      upgrade: (response, request, context) => this.#upgrade(feed, response, request, context),
      open: (socket: WebSocket<SocketData>) => {
        const { connection } = socket.getUserData();
        connection.socket = socket;
        connection.credential = this.#ports.credentials.acquire(connection.credential);
        hub.join(connection, connection.scope);
      },
      message: (socket: WebSocket<SocketData>, bytes, isBinary) => {
        const { connection } = socket.getUserData();
        const nowMs = this.#ports.nowMs();
        const fault = takeClientMessage(hub, feed, this.#ports, connection, { bytes, isBinary }, nowMs);
        if (fault !== null) hub.close(connection, fault);
      },
      dropped: (socket: WebSocket<SocketData>) => hub.missedUpdate(socket.getUserData().connection),
      drain: (socket: WebSocket<SocketData>) => hub.pump(socket.getUserData().connection),
      close: (socket: WebSocket<SocketData>) => {
        const { connection } = socket.getUserData();
        hub.leave(connection);
        this.#ports.credentials.release(connection.credential);
      },
    });
  }

  #upgrade(feed: Feed, response: HttpResponse, request: HttpRequest, context: UpgradeContext): void {
    let aborted = false;
    response.onAborted(() => {
      aborted = true;
    });
    // The request is gone after this call returns.
    const query = request.getQuery() ?? '';
    const key = request.getHeader('sec-websocket-key');
    const protocol = request.getHeader('sec-websocket-protocol');
    const extensions = request.getHeader('sec-websocket-extensions');
    const answer = (what: () => void): void => {
      if (!aborted) response.cork(what);
    };
    const refuseWith = (code: ErrorCode): void => {
      this.#ports.metrics.refusedUpgrades.inc({ code });
      answer(() => refuse(response, code));
    };
    const accept = (credential: Credential, scope: Scope): void =>
      answer(() => {
        const connection = new Connection(credential, scope, this.#ports.nowMs());
        response.upgrade<SocketData>({ connection }, key, protocol, extensions, context);
      });

    const unready = this.#ports.unready();
    if (unready !== null || this.#isFull()) {
      refuseWith(unready ?? 'too_many_connections');
      return;
    }
    feed
      .admit(this.#ports, { query })
      .then((admission) => {
        if (admission.kind === 'refused') refuseWith(admission.code);
        // Others may have come while the token was looked at.
        else if (this.#isFull()) refuseWith('too_many_connections');
        else accept(admission.credential, admission.scope);
      })
      .catch(() => refuseWith('internal_error'));
  }

  #isFull(): boolean {
    return (this.#hub?.connections.size ?? 0) >= this.#ports.socketsLimit;
  }
}

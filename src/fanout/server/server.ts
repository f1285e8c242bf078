import { countedAddress, type TrustedProxies } from '../../network/trusted-proxies.ts';
import { engineMessageBytes, idleTimeoutSeconds, slowAtBytes } from '../base/limits.ts';
import { closeCodes } from '../connections/close-codes.ts';
import { Connection } from '../connections/connection.ts';
import type {
  HttpAnswer,
  SocketRoute,
  SocketServer,
  UpgradeAnswer,
  UpgradeRequest,
} from '../engines/engine.ts';
import type { HandshakeFault } from '../engines/handshake.ts';
import { matchPath } from '../engines/path.ts';
import type { Admission, Feed, FeedPorts } from '../feeds/feed.ts';
import { feeds } from '../feeds/index.ts';
import type { Hub } from '../publish/hub.ts';
import { type AdmissionPorts, admissionOf } from './admission.ts';
import { handleClientMessage } from './client-messages.ts';
import { refusal } from './upgrade.ts';

interface FeedServerPorts extends FeedPorts, AdmissionPorts {
  readonly hub: Hub;
  /** Loopback among them: gateways of this machine. */
  readonly proxies: TrustedProxies;
}

/** The feeds' port: upgrades, and what sockets say. What they lead to is attached after the engine, because it publishes on it. */
export class FeedServer {
  readonly #engine: SocketServer<Connection>;

  constructor(engine: SocketServer<Connection>) {
    this.#engine = engine;
  }

  publish(topic: string, frame: Buffer): void {
    this.#engine.publish(topic, frame);
  }

  /** Port 0 takes any free one for itself. Resolves to the port. */
  listen(
    ports: FeedServerPorts,
    { host, port }: { readonly host: string; readonly port: number },
  ): Promise<number> {
    return this.#engine.listen(
      {
        routes: feeds.flatMap((feed) => feed.paths.map((path) => routeOf(feed, path, ports))),
        otherwise: answerOtherwise,
        maxMessageBytes: engineMessageBytes,
        maxBackpressureBytes: slowAtBytes,
        idleTimeoutSeconds,
      },
      host,
      port,
    );
  }

  stopListening(): void {
    this.#engine.stopListening();
  }

  /** Cuts whatever is still open. */
  close(): void {
    this.#engine.close();
  }
}

function routeOf(feed: Feed, path: string, ports: FeedServerPorts): SocketRoute<Connection> {
  return {
    path,
    admit: (request) => admit(feed, ports, request),
    opened(socket, connection) {
      connection.socket = socket;
      ports.sockets.open(connection);
      const { credential, scope } = connection;
      if (credential !== null && scope !== null) ports.sockets.enter(connection, credential, scope);
    },
    message(connection, bytes, isBinary) {
      const fault = handleClientMessage(ports, feed, connection, { bytes, isBinary }, ports.elapsedMs());
      if (fault !== null) ports.close(connection, fault);
    },
    dropped: (connection) => ports.hub.missedUpdate(connection),
    drained: (connection) => ports.sockets.pump(connection),
    closed(connection, code) {
      // The gateway's word for a client whose message it did not let pass.
      if (code === closeCodes.too_big && connection.closing === null)
        ports.metrics.closes.inc({ reason: 'too_big' });
      ports.sockets.closed(connection);
    },
  };
}

async function admit(
  feed: Feed,
  ports: FeedServerPorts,
  { parameters, query, origin, host, peer, forwarded }: UpgradeRequest,
): Promise<UpgradeAnswer<Connection>> {
  const { proxies } = ports;
  // Only of a gateway or a balancer the header is believed.
  const address = proxies.trusts(peer) ? proxies.clientBehind(peer, forwarded) : countedAddress(peer);
  const input = { parameters, query, origin, host, address };
  const admission = await admissionOf(feed, ports, input).catch((error: unknown): Admission => {
    ports.alarm('An upgrade met a bug.', error);
    return { kind: 'refused', code: 'internal_error' };
  });
  if (admission.kind === 'refused') {
    ports.metrics.refusedUpgrades.inc({ code: admission.code });
    return { kind: 'refused', answer: refusal(admission.code, admission.retryAfterSeconds) };
  }
  const connection = new Connection(feed.listens, address, ports.elapsedMs());
  if (admission.kind === 'admitted') {
    connection.credential = admission.credential;
    connection.scope = admission.scope;
  }
  return { kind: 'accepted', data: connection };
}

function answerOtherwise(path: string, fault: HandshakeFault): HttpAnswer {
  const isFeedPath = feeds.some(({ paths }) => paths.some((pattern) => matchPath(pattern, path) !== null));
  return refusal(isFeedPath ? fault : 'route_not_found');
}

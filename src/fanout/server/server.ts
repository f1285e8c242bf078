import { clientMessageBytes } from '../../contracts/feeds/feed.ts';
import type { HandshakeFault } from '../../network/handshake.ts';
import { countedAddress, type TrustedProxies } from '../../network/trusted-proxies.ts';
import { engineMessageBytes, idleTimeoutSeconds, slowAtBytes } from '../base/limits.ts';
import { type CloseReason, Connection, closeCodes } from '../connections/connection.ts';
import {
  type HttpAnswer,
  matchPath,
  type SocketRoute,
  type SocketServerOptions,
  type UpgradeAnswer,
  type UpgradeRequest,
} from '../engines/engine.ts';
import type { Admission, Feed } from '../feeds/feed.ts';
import { feeds } from '../feeds/index.ts';
import { type AdmissionPorts, admissionOf, refusal } from './admission.ts';

interface FeedServerPorts extends AdmissionPorts {
  /** Loopback among them: gateways of this machine. */
  readonly proxies: TrustedProxies;
}

/** What the websocket engine serves: the feeds, and a refusal of every other request. */
export function servedFeeds(ports: FeedServerPorts): SocketServerOptions<Connection> {
  return {
    routes: feeds.flatMap((feed) => feed.paths.map((path) => routeOf(feed, path, ports))),
    otherwise: answerOtherwise,
    maxMessageBytes: engineMessageBytes,
    maxBackpressureBytes: slowAtBytes,
    idleTimeoutSeconds,
  };
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
      if (connection.closing !== null) return;
      const fault =
        frameFault(connection, bytes, isBinary, ports.elapsedMs()) ??
        feed.message(ports, connection, bytes.toString('utf8'));
      if (fault !== null) ports.close(connection, fault);
    },
    dropped: (connection) => ports.hub.missedUpdate(connection),
    drained: (connection) => ports.sockets.pump(connection),
    closed(connection, code) {
      // The gateway sends this code for a client whose message it did not let pass.
      if (code === closeCodes.too_big && connection.closing === null)
        ports.metrics.closes.inc({ reason: 'too_big' });
      ports.sockets.closed(connection);
    },
  };
}

/** Why a frame ends its connection, whatever it says; null: it is read. */
function frameFault(
  connection: Connection,
  bytes: Buffer,
  isBinary: boolean,
  nowMs: number,
): CloseReason | null {
  if (!connection.admitMessage(nowMs)) return 'flood';
  if (bytes.byteLength > clientMessageBytes) return 'too_big';
  return isBinary ? 'bad_message' : null;
}

async function admit(
  feed: Feed,
  ports: FeedServerPorts,
  { peer, forwarded, ...request }: UpgradeRequest,
): Promise<UpgradeAnswer<Connection>> {
  const { proxies } = ports;
  // The header counts only from a gateway or a balancer.
  const address = proxies.trusts(peer) ? proxies.clientBehind(peer, forwarded) : countedAddress(peer);
  const admission = await admissionOf(feed, ports, { ...request, address }).catch(
    (error: unknown): Admission => {
      ports.alarm('An upgrade met a bug.', error);
      return { kind: 'refused', code: 'internal_error' };
    },
  );
  if (admission.kind === 'refused') {
    ports.metrics.refusedUpgrades.inc({ code: admission.code });
    return { kind: 'refused', answer: refusal(admission.code, admission.retryAfterSeconds) };
  }
  const connection = new Connection(feed.listens, address, ports.elapsedMs());
  if (admission.kind === 'admitted') {
    connection.credential = admission.credential;
    connection.scope = admission.scope;
    connection.instances = admission.instances ?? null;
  }
  return { kind: 'accepted', data: connection };
}

function answerOtherwise(path: string, fault: HandshakeFault): HttpAnswer {
  const isFeedPath = feeds.some(({ paths }) => paths.some((pattern) => matchPath(pattern, path) !== null));
  return refusal(isFeedPath ? fault : 'route_not_found');
}

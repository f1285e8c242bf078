import type { Closer } from '../connections/closing.ts';
import type { Connection } from '../connections/connection.ts';
import type { Credential, FeedCredentials } from '../connections/credentials.ts';
import type { Hub } from '../publish/hub.ts';
import type { StatusBoard } from '../publish/status-board.ts';
import type { Scope } from '../scope/scope.ts';
import { PlayerSockets, Unidentified } from './counts.ts';

interface SocketsPorts {
  readonly credentials: FeedCredentials;
  readonly hub: Hub;
  readonly board: StatusBoard;
  readonly closer: Closer;
}

/** Every open socket, whose it is, and where it listens. */
export class Sockets {
  readonly connections = new Set<Connection>();
  /** Those whose client has not said who it is. */
  readonly unidentified = new Unidentified();
  readonly players = new PlayerSockets();
  readonly #ports: SocketsPorts;

  constructor(ports: SocketsPorts) {
    this.#ports = ports;
  }

  open(connection: Connection): void {
    this.connections.add(connection);
    if (connection.credential === null) this.unidentified.add(connection);
  }

  /** The client has shown who it is: it listens from now on. */
  enter(connection: Connection, credential: Credential, scope: Scope): void {
    this.unidentified.delete(connection);
    connection.credential = this.#ports.credentials.acquire(credential);
    this.players.add(credential);
    this.#followedBy(connection).join(connection, scope);
  }

  /** The same owner with a newer credential, which may bring other rights. */
  renew(connection: Connection, credential: Credential, scope: Scope): void {
    const { credentials, hub, board } = this.#ports;
    const before = connection.credential;
    const acquired = credentials.acquire(credential);
    if (before !== null) credentials.release(before);
    connection.credential = acquired;
    if (connection.listens === 'events') hub.changeScope(connection, scope);
    else if (scope.key !== connection.scope?.key) {
      board.leave(connection);
      board.join(connection, scope);
    }
  }

  pump(connection: Connection): void {
    if (connection.closing !== null) this.#ports.closer.pump(connection);
    else this.#followedBy(connection).pump(connection);
  }

  closed(connection: Connection): void {
    connection.socket = null;
    this.connections.delete(connection);
    this.unidentified.delete(connection);
    const { credential } = connection;
    if (credential === null) return;
    this.#followedBy(connection).leave(connection);
    this.players.remove(credential);
    this.#ports.credentials.release(credential);
  }

  /** What its updates come from. */
  #followedBy(connection: Connection): Hub | StatusBoard {
    return connection.listens === 'events' ? this.#ports.hub : this.#ports.board;
  }
}

import { Counts } from '../../lib/counts.ts';
import type { Clock } from '../../ports.ts';
import {
  authenticationMs,
  closingMs,
  firstSubscriptionMs,
  lifetimeMs,
  socketsOfPlayer,
} from '../base/limits.ts';
import type { Closer } from '../connections/closing.ts';
import type { CloseReason, Connection } from '../connections/connection.ts';
import { type Credential, type FeedCredentials, playerOf } from '../connections/credentials.ts';
import type { Hub } from '../publish/hub.ts';
import type { StatusBoard } from '../publish/status-board.ts';
import type { Scope } from '../scope/scope.ts';
import { tooSlowTogether } from './leaving.ts';
import type { PlayersElsewhere } from './players-elsewhere.ts';
import { PublicSockets } from './public-sockets.ts';

interface SocketsPorts {
  readonly credentials: FeedCredentials;
  readonly hub: Hub;
  readonly board: StatusBoard;
  readonly closer: Closer;
  readonly elsewhere: Pick<PlayersElsewhere, 'of' | 'changed'>;
  readonly clock: Clock;
  /** Sockets of the public feed that an address may have. */
  readonly publicOfAddress?: number | undefined;
}

/** Every open socket, whose it is, and where it listens. */
export class Sockets {
  readonly connections = new Set<Connection>();
  /** Those whose client has not said who it is. */
  readonly unidentified = new Unidentified();
  readonly players: PlayerSockets;
  readonly public: PublicSockets;
  readonly #ports: SocketsPorts;

  constructor(ports: SocketsPorts) {
    this.#ports = ports;
    this.players = new PlayerSockets(ports.elsewhere);
    this.public = new PublicSockets(ports.clock, ports.publicOfAddress);
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
    if (scope.kind === 'public') this.public.add(connection, scope);
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
    this.public.delete(connection);
    this.#followedBy(connection).leave(connection);
    this.players.remove(credential);
    this.#ports.credentials.release(credential);
  }

  /** What its updates come from. */
  #followedBy(connection: Connection): Hub | StatusBoard {
    return connection.listens === 'events' ? this.#ports.hub : this.#ports.board;
  }
}

interface ExpiryPorts {
  readonly sockets: Sockets;
  readonly closer: Closer;
  readonly credentials: FeedCredentials;
  nowMs(): number;
  elapsedMs(): number;
}

/** Closes expired connections: one pass over all connections a second instead of a timer for each. */
export async function closeExpired(ports: ExpiryPorts): Promise<void> {
  const { sockets, closer, credentials, nowMs, elapsedMs } = ports;
  credentials.recheckPlayers();
  const revoked = await credentials.revoked();
  for (const connection of tooSlowTogether(sockets.connections)) connection.socket?.close();
  for (const connection of [...sockets.connections]) {
    if (connection.closing !== null) {
      if (elapsedMs() - connection.closing.sinceMs >= closingMs) connection.socket?.close();
      else closer.pump(connection);
      continue;
    }
    const reason = dueReason(connection, revoked, { nowMs: nowMs(), elapsedMs: elapsedMs() });
    if (reason !== null) closer.close(connection, reason);
    else sockets.pump(connection);
  }
}

function dueReason(
  connection: Connection,
  revoked: ReadonlySet<Credential>,
  { nowMs, elapsedMs }: { readonly nowMs: number; readonly elapsedMs: number },
): CloseReason | null {
  const { credential, scope, openedMs } = connection;
  if (credential === null || scope === null)
    // An answer of the wallet that is on its way is waited for.
    return elapsedMs - openedMs >= authenticationMs && !connection.verifying ? 'timeout' : null;
  if (hasEnded(credential, nowMs) || revoked.has(credential)) return 'unauthenticated';
  if (!scope.enabled()) return 'forbidden';
  if (!connection.subscribedOnce && elapsedMs - openedMs >= firstSubscriptionMs) return 'timeout';
  if (elapsedMs - openedMs >= lifetimeMs) return 'lifetime_over';
  return null;
}

function hasEnded(credential: Credential, nowMs: number): boolean {
  if (credential.kind === 'service') return credential.principal.expiresAtMs <= nowMs;
  return credential.kind === 'player' && credential.revoked;
}

/** How many sockets each player has open, here and at other fan-outs. */
class PlayerSockets {
  readonly #open = new Counts();
  readonly #elsewhere: SocketsPorts['elsewhere'];

  constructor(elsewhere: SocketsPorts['elsewhere']) {
    this.#elsewhere = elsewhere;
  }

  /** Sockets of a player here. */
  of(player: string): number {
    return this.#open.of(player);
  }

  entries(): Iterable<readonly [string, number]> {
    return this.#open.entries();
  }

  /** Whether one more may be opened. */
  admits(credential: Credential): boolean {
    const key = keyOf(credential);
    return key === null || this.#open.of(key) + this.#elsewhere.of(key) < socketsOfPlayer;
  }

  add(credential: Credential): void {
    const key = keyOf(credential);
    if (key === null) return;
    this.#open.add(key);
    this.#elsewhere.changed(key);
  }

  remove(credential: Credential): void {
    const key = keyOf(credential);
    if (key === null) return;
    this.#open.remove(key);
    this.#elsewhere.changed(key);
  }
}

/** A brand path holds no space. */
function keyOf(credential: Credential): string | null {
  const player = playerOf(credential);
  return player === null ? null : `${player.brand} ${player.player}`;
}

/**
 * Sockets whose client has not said who it is. If all places are taken, the address with most gives one up.
 */
class Unidentified {
  readonly #addresses = new Map<string, Set<Connection>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(connection: Connection): void {
    const present = this.#addresses.get(connection.address) ?? new Set();
    this.#addresses.set(connection.address, present.add(connection));
    this.#size += 1;
  }

  delete(connection: Connection): void {
    const present = this.#addresses.get(connection.address);
    if (present?.delete(connection) !== true) return;
    this.#size -= 1;
    if (present.size === 0) this.#addresses.delete(connection.address);
  }

  /** The one that gives its place to a newcomer of `address`, which has at least two fewer. */
  dispensableFor(address: string): Connection | null {
    let crowd: ReadonlySet<Connection> = new Set();
    for (const present of this.#addresses.values()) if (present.size > crowd.size) crowd = present;
    if (crowd.size <= (this.#addresses.get(address)?.size ?? 0) + 1) return null;
    // A client whose token is being verified keeps its place.
    for (const connection of crowd) if (!connection.verifying) return connection;
    return null;
  }
}

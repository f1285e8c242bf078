import type { Connection } from '../connections/connection.ts';
import type { Scope } from '../scope/scope.ts';

/** The connections that share a scope. */
export interface Room {
  readonly scope: Scope;
  readonly connections: ReadonlySet<Connection>;
  /** Those of one player. */
  of(player: string): Iterable<Connection>;
}

interface OpenRoom extends Room {
  readonly connections: Set<Connection>;
  readonly byPlayer: Map<string, Set<Connection>>;
}

const nobody: ReadonlySet<Connection> = new Set();

/** The scopes that somebody listens in. */
export class Rooms {
  readonly #byKey = new Map<string, OpenRoom>();

  /** Puts the connection into the room of its scope, where it finds the scope that all in it share. */
  join(connection: Connection, wanted: Scope): void {
    const room = this.#byKey.get(wanted.key) ?? openRoom(wanted);
    this.#byKey.set(wanted.key, room);
    room.connections.add(connection);
    connection.scope = room.scope;
    const player = connection.player;
    if (player === null) return;
    const own = room.byPlayer.get(player) ?? new Set();
    room.byPlayer.set(player, own.add(connection));
  }

  leave(connection: Connection): void {
    const key = connection.scope?.key;
    const room = key === undefined ? undefined : this.#byKey.get(key);
    if (room === undefined || key === undefined) return;
    room.connections.delete(connection);
    if (room.connections.size === 0) this.#byKey.delete(key);
    const player = connection.player;
    if (player === null) return;
    const own = room.byPlayer.get(player);
    own?.delete(connection);
    if (own?.size === 0) room.byPlayer.delete(player);
  }

  all(): Iterable<Room> {
    return this.#byKey.values();
  }
}

function openRoom(scope: Scope): OpenRoom {
  const byPlayer = new Map<string, Set<Connection>>();
  return { scope, connections: new Set(), byPlayer, of: (player) => byPlayer.get(player) ?? nobody };
}

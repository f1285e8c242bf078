import type { FeedEvent } from '../../directory/events/feed-event.ts';
import type { Viewer } from '../../directory/events/viewer.ts';
import type { Connection } from '../connections/connection.ts';
import { ownView, type Scope } from '../scope/scope.ts';

/** The connections that share a scope. */
interface Room {
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

/** The scopes that have connections. */
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

interface Listeners {
  readonly viewer: Viewer;
  readonly connections: Iterable<Connection>;
}

/** Who of a room gets an event, put together by what they see of it. */
export function listenersOf(room: Room, { audience }: FeedEvent): readonly Listeners[] {
  const { scope } = room;
  const all: Listeners = { viewer: scope, connections: room.connections };
  if (audience.kind === 'services') return serves(scope, audience.brand) ? [all] : [];
  if (scope.kind === 'public') return audience.kind === 'everyone' ? [all] : [];
  if (audience.kind === 'player') {
    const { brand, player } = audience;
    if (scope.kind === 'service') return serves(scope, brand) ? [all] : [];
    return scope.brand === brand ? [{ viewer: ownView(scope, player), connections: room.of(player) }] : [];
  }
  if (scope.kind === 'service') return [all];
  const named = new Set<string>();
  for (const { brand, player } of audience.named) if (brand === scope.brand) named.add(player);
  if (named.size === 0) return [all];
  const others = [...room.connections].filter(({ player }) => player === null || !named.has(player));
  const own = [...named].map((player) => ({ viewer: ownView(scope, player), connections: room.of(player) }));
  return [{ viewer: scope, connections: others }, ...own];
}

/** How one connection sees an event; null: not at all. The scope itself where it sees what all see. */
export function viewerOf({ player }: Connection, scope: Scope, { audience }: FeedEvent): Viewer | null {
  if (scope.kind === 'service')
    return audience.kind === 'everyone' || serves(scope, audience.brand) ? scope : null;
  if (audience.kind === 'everyone' && player === null) return scope;
  if (audience.kind === 'services' || player === null) return null;
  const named = audience.kind === 'player' ? [audience] : audience.named;
  const isNamed = named.some((one) => one.brand === scope.brand && one.player === player);
  if (isNamed) return ownView(scope, player);
  return audience.kind === 'player' ? null : scope;
}

/** A service names either every player of a brand or none. */
function serves(scope: Scope, brand: string): boolean {
  return scope.kind === 'service' && scope.showsPlayer(brand, '');
}

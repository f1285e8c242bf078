import { Counts } from '../../lib/counts.ts';
import { socketsOfPlayer } from '../base/limits.ts';
import type { Connection } from '../connections/connection.ts';
import type { Credential } from '../connections/credentials.ts';

/** How many sockets each player has open. */
export class PlayerSockets {
  readonly #open = new Counts();

  /** Whether one more may be opened. */
  admits(credential: Credential): boolean {
    return credential.kind === 'service' || this.#open.of(keyOf(credential)) < socketsOfPlayer;
  }

  add(credential: Credential): void {
    if (credential.kind === 'player') this.#open.add(keyOf(credential));
  }

  remove(credential: Credential): void {
    if (credential.kind === 'player') this.#open.remove(keyOf(credential));
  }
}

/** A brand path holds no space. */
function keyOf({ brand, player }: Extract<Credential, { kind: 'player' }>): string {
  return `${brand} ${player}`;
}

/** Sockets by address whose client has not said who it is. When all places are taken, the address with the most gives one up. */
export class Unidentified {
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

  /** The one that gives its place to a newcomer of `address`, so that the two addresses come nearer to each other. */
  dispensableFor(address: string): Connection | null {
    let crowd: ReadonlySet<Connection> = new Set();
    for (const present of this.#addresses.values()) if (present.size > crowd.size) crowd = present;
    if (crowd.size <= (this.#addresses.get(address)?.size ?? 0) + 1) return null;
    // A client whose token is being verified keeps its place.
    for (const connection of crowd) if (!connection.verifying) return connection;
    return null;
  }
}

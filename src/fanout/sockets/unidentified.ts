import type { Connection } from '../connections/connection.ts';

/** Sockets whose client has not said who it is, by its address: where there is no room, the address with the most makes it. */
export class Unidentified {
  readonly #addresses = new Map<string, Set<Connection>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(connection: Connection): void {
    const { address } = connection;
    const present = this.#addresses.get(address);
    if (present === undefined) this.#addresses.set(address, new Set([connection]));
    else present.add(connection);
    this.#size += 1;
  }

  delete(connection: Connection): void {
    const present = this.#addresses.get(connection.address);
    if (present?.delete(connection) !== true) return;
    this.#size -= 1;
    if (present.size === 0) this.#addresses.delete(connection.address);
  }

  /** Which one gives its place to a newcomer of `address`, so that the two addresses come nearer to each other. */
  dispensableFor(address: string): Connection | null {
    let crowd: ReadonlySet<Connection> = new Set();
    for (const present of this.#addresses.values()) if (present.size > crowd.size) crowd = present;
    if (crowd.size <= (this.#addresses.get(address)?.size ?? 0) + 1) return null;
    // Whoever has sent a token is not sent away while it is looked at.
    for (const connection of crowd) if (!connection.verifying) return connection;
    return null;
  }
}

import type { Socket } from 'node:net';

/**
 * Connections that leave for another gateway of this machine: the next answer on each says that it ends
 * (docs/decisions/0364).
 */
export class MovingConnections {
  readonly #moving = new WeakSet<Socket>();
  #due = 0;

  /** So many of the connections with the next requests move. What an earlier call asked for and did not get is void. */
  move(connections: number): void {
    this.#due = connections;
  }

  /** Whether more connections are to move. */
  get isDue(): boolean {
    return this.#due > 0;
  }

  /** Whether the connection of this request moves. */
  includes(socket: Socket): boolean {
    if (this.#due === 0) return this.#moving.has(socket);
    if (!this.#moving.has(socket)) {
      this.#due -= 1;
      this.#moving.add(socket);
    }
    return true;
  }
}

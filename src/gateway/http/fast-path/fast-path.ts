import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressCounts } from '../../base/address-counts.ts';
import { PublicError } from '../../base/errors.ts';
import type { ClientAddresses } from '../client-address.ts';
import { sendRawError } from '../raw-answer.ts';
import { FastPathConnection, type FastPathHost } from './connection.ts';
import type { NodeExchange } from './exchange.ts';
import { ExchangeTurns } from './exchange-turns.ts';

interface FastPathOptions extends Omit<FastPathHost, 'exchangeTurns' | 'adopt' | 'closed'> {
  readonly connectionsPerAddress: number;
}

/**
 * Answers plain contributions and lookups straight from the socket, without request, response and stream
 * objects. Each other request goes to Node's server, and its connection comes back (docs/decisions/0013).
 */
export class FastPath {
  readonly #open = new Set<FastPathConnection>();
  readonly #addresses: ClientAddresses;
  readonly #ofAddress: AddressCounts;
  #connections = 0;

  constructor(server: Server, options: FastPathOptions) {
    const [adopt] = server.listeners('connection') as ((socket: Socket) => void)[];
    if (adopt === undefined) throw new Error('The HTTP server listens to no connections.');
    server.removeAllListeners('connection');
    const host = {
      ...options,
      exchangeTurns: new ExchangeTurns(),
      // Node's server takes any stream for a connection.
      adopt: (exchange: NodeExchange) => adopt.call(server, exchange as unknown as Socket),
      closed: (connection: FastPathConnection) => void this.#open.delete(connection),
    };
    this.#addresses = options.addresses;
    this.#ofAddress = new AddressCounts(options.connectionsPerAddress);
    server.on('connection', (socket: Socket) => {
      if (!this.#admits(socket)) return;
      this.#open.add(new FastPathConnection(socket, host));
    });
  }

  #admits(socket: Socket): boolean {
    this.#connections += 1;
    socket.once('close', () => {
      this.#connections -= 1;
    });
    const { address, isProxy } = this.#addresses.peerOf(socket);
    // The connections of a proxy belong to all its clients.
    if (isProxy) return true;
    if (this.#ofAddress.take(address)) {
      socket.once('close', () => this.#ofAddress.release(address));
      return true;
    }
    socket.on('error', () => socket.destroy());
    sendRawError(socket, new PublicError('too_many_connections'));
    socket.destroySoon();
    return false;
  }

  /** Open connections, whether served here or by Node's server. */
  get connections(): number {
    return this.#connections;
  }

  /** Connections on which no request is under way. */
  closeIdle(): void {
    for (const connection of this.#open) connection.closeIfIdle();
  }

  closeAll(): void {
    for (const connection of this.#open) connection.destroy();
  }
}

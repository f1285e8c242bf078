import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { countedAddress, TrustedProxies } from '../../network/trusted-proxies.ts';

export interface Peer {
  readonly address: string;
  /** A trusted proxy: each of its requests says whose it is. */
  readonly isProxy: boolean;
}

/**
 * Says whose connection and request it is; all limits by address count by this text. Headers are believed of
 * trusted proxies only (docs/decisions/0091).
 */
export class ClientAddresses {
  readonly #proxies: TrustedProxies;
  readonly #peers = new WeakMap<Socket, Peer>();

  constructor(trustedProxies: readonly string[]) {
    this.#proxies = new TrustedProxies(trustedProxies);
  }

  peerOf(socket: Socket): Peer {
    const known = this.#peers.get(socket);
    if (known !== undefined) return known;
    const address = socket.remoteAddress ?? '';
    const peer = { address: countedAddress(address), isProxy: this.#proxies.trusts(address) };
    this.#peers.set(socket, peer);
    return peer;
  }

  /** @param forwarded the request's X-Forwarded-For; several are joined with commas */
  clientOf({ address, isProxy }: Peer, forwarded: string | string[] | undefined): string {
    if (!isProxy) return address;
    return this.#proxies.clientBehind(address, Array.isArray(forwarded) ? forwarded.join(',') : forwarded);
  }

  ofRequest({ socket, headers }: IncomingMessage): string {
    return this.clientOf(this.peerOf(socket), headers['x-forwarded-for']);
  }
}

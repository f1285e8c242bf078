import type { Socket } from 'node:net';

/**
 * Whose connection it is: the one place that says so. What is limited by address, log-ins, public reads, connections, feeds, counts
 * by this text. An IPv4 address is written in one way, whichever kind of socket took it.
 */
export function clientAddress(socket: Pick<Socket, 'remoteAddress'>): string {
  const address = socket.remoteAddress ?? '';
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

import { lookup } from 'node:dns/promises';
import net from 'node:net';
import { getSystemErrorName } from 'node:util';

/** A bound TCP socket that children inherit: they listen, and share one queue of connections. */
export interface SharedSocket {
  readonly fd: number;
  readonly port: number;
  close(): void;
}

interface Handle {
  readonly fd: number;
  getsockname(into: { port?: number }): number;
  close(): void;
}

type CreateHandle = (address: string, port: number, family: 4 | 6) => Handle | number;

/**
 * Binds a socket and accepts nothing itself (docs/decisions/0364). A `net.Server` would accept too, so this
 * takes the function with which Node's module `cluster` binds.
 * @throws Error with the `code` of the system's error
 */
export async function bindSharedSocket(host: string, port: number): Promise<SharedSocket> {
  const { address, family } = await lookup(host);
  const create = (net as unknown as { readonly _createServerHandle?: CreateHandle })._createServerHandle;
  if (create === undefined)
    throw new Error(`Node ${process.versions.node} cannot share a port between several gateways.`);
  const handle = create(address, port, family === 6 ? 6 : 4);
  if (typeof handle === 'number') {
    const code = getSystemErrorName(handle);
    throw Object.assign(new Error(`${code} ${address}:${port}`), { code });
  }
  const name: { port?: number } = {};
  handle.getsockname(name);
  return { fd: handle.fd, port: name.port ?? port, close: () => handle.close() };
}

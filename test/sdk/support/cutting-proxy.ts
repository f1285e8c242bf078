import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Where a connection is cut: behind so many bytes of what goes to the server, or of what comes back. */
export interface Cut {
  readonly direction: 'to server' | 'to client';
  readonly bytes: number;
}

export interface CuttingProxy {
  readonly baseUrl: string;
  /** Cuts that have happened. */
  readonly cuts: number;
  stop(): Promise<void>;
}

/** Passes bytes on; each connection meets the next cut, and none after the last. Connections that say `spared` meet none. */
export async function startCuttingProxy(
  upstreamPort: number,
  planned: readonly Cut[],
  isSpared: (head: string) => boolean,
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const left = [...planned];
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(upstreamPort, '127.0.0.1');
    let cut: Cut | undefined;
    let isDecided = false;
    const both = [client, upstream];
    const end = () => {
      for (const socket of both) socket.destroy();
    };
    const pass = (from: Socket, to: Socket, direction: Cut['direction']) => {
      let passed = 0;
      from.on('data', (bytes: Buffer) => {
        if (!isDecided) {
          isDecided = true;
          cut = isSpared(bytes.toString('latin1')) ? undefined : left.shift();
        }
        const room = cut?.direction === direction ? Math.max(0, cut.bytes - passed) : bytes.length;
        passed += bytes.length;
        if (bytes.length < room || cut?.direction !== direction) {
          to.write(bytes);
          return;
        }
        cuts += 1;
        from.pause();
        to.write(bytes.subarray(0, room), end);
      });
      from.on('end', () => to.end());
      from.on('error', end);
      from.on('close', end);
    };
    for (const socket of both) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    pass(client, upstream, 'to server');
    pass(upstream, client, 'to client');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

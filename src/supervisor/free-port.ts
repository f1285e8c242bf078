import { createServer } from 'node:net';

const attemptsAbove = 20;

/** Can this port be listened on now? */
export function isPortFree(port: number, host: string): Promise<boolean> {
  return listenOnce(port, host).then((got) => got !== null);
}

/** A port that is free on loopback now. */
export async function anyFreePort(host = '127.0.0.1'): Promise<number> {
  const port = await listenOnce(0, host);
  if (port === null) throw new Error(`No free port on ${host}.`);
  return port;
}

/** The wanted port if it is free, else one of the next twenty, else any; never one of `taken`. */
export async function freePortNear(
  wanted: number,
  host: string,
  taken: readonly number[] = [],
): Promise<number> {
  for (let port = wanted; wanted > 0 && port <= Math.min(wanted + attemptsAbove, 65_535); port += 1) {
    if (!taken.includes(port) && (await isPortFree(port, host))) return port;
  }
  return anyFreePort(host);
}

function listenOnce(port: number, host: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : null));
    });
  });
}

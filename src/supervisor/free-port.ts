import { type AddressInfo, createServer } from 'node:net';

const attemptsAbove = 20;
/** How often to ask the system for a free port before concluding that only those in `taken` are left. */
const attemptsAnywhere = 20;
/** What a port that cannot be listened on is. */
const faults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken',
  EACCES: 'needs rights that this user does not have',
  EADDRNOTAVAIL: 'is on an address that this machine does not have',
  ENOTFOUND: 'is on a name that has no address',
};

/** Why this port cannot be listened on now ("is taken"); null where it can. */
export async function portFault(port: number, host: string): Promise<string | null> {
  const got = await listenOnce(port, host);
  return typeof got === 'number' ? null : faultOf(got);
}

/** A port that is free now and not in `taken`. */
async function anyFreePort(host = '127.0.0.1', taken: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < attemptsAnywhere; attempt += 1) {
    const port = await listenOnce(0, host);
    if (typeof port !== 'number') throw new Error(`every port of ${host} ${faultOf(port)}.`);
    if (!taken.includes(port)) return port;
  }
  throw new Error(`every port of ${host} is taken.`);
}

/** The wanted port if it is free, else one of the next twenty, else any; never one of `taken`. */
export async function freePortNear(
  wanted: number,
  host: string,
  taken: readonly number[] = [],
): Promise<number> {
  for (let port = wanted; wanted > 0 && port <= Math.min(wanted + attemptsAbove, 65_535); port += 1) {
    if (!taken.includes(port) && (await portFault(port, host)) === null) return port;
  }
  return anyFreePort(host, taken);
}

/** The port that was got, or why none was. */
function listenOnce(port: number, host: string): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address() as AddressInfo;
      server.close(() => resolve(address.port));
    });
  });
}

function faultOf(error: NodeJS.ErrnoException): string {
  return faults[error.code ?? ''] ?? `cannot be listened on (${error.message})`;
}

/** The address at which a program of the same machine reaches a listener: loopback for one that listens on all. */
export function addressToReach(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** The URL of such a listener, without a path. */
export function urlToReach(host: string, port: number): string {
  const address = addressToReach(host);
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

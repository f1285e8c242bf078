const addresses = '127(?:\\.\\d{1,3}){3}';
/** What a browser takes for this machine without asking a name server (RFC 6761). */
const names = '(?:[a-z0-9-]+\\.)*localhost';
const listening = new RegExp(`^(?:${names}|${addresses}|::1)$`, 'i');
const authority = new RegExp(`^(?:${names}|${addresses}|\\[::1\\])(?::\\d*)?$`, 'i');

/** Whether a listener at that address is reached from its own machine alone. */
export function isLoopbackAddress(host: string): boolean {
  return listening.test(host);
}

/** Whether a Host header names this machine itself: a page of another site may lead here (DNS rebinding). */
export function isLoopbackAuthority(host: string): boolean {
  return authority.test(host);
}

/** Where a program of the same machine reaches a listener: loopback for one that listens on all. */
export function addressToReach(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** The URL of such a listener, without a path. */
export function urlToReach(host: string, port: number): string {
  const address = addressToReach(host);
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

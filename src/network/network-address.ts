import ipaddr from 'ipaddr.js';

/** The IPv6 addresses assigned to networks; special ones lie outside. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Public by its range, but internal to a cloud: Azure's platform answers its machines there. */
const metadataAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether we may connect to a numeric address: a public one, or loopback in development. Refuses IPv6 that
 * embeds IPv4 for a translator (NAT64, 6to4, Teredo).
 */
export function isCallableAddress(address: string, development: boolean): boolean {
  if (!ipaddr.isValid(address) || isCompatible(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'loopback') return development;
  if (range !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(globalUnicast);
  return !metadataAddresses.has(parsed.toString());
}

/** Whether a name is `localhost` or below it: this machine, without asking DNS (RFC 6761). */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** `::1.2.3.4`, which networks no longer route; the parser takes it for a mapped address. */
function isCompatible(address: string): boolean {
  return /^::[0-9]+\./.test(address);
}

import ipaddr from 'ipaddr.js';

/** Of IPv6 only what is handed out to networks; whatever is new or special is none of it. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Public by its range, and yet a cloud's own: Azure's platform answers its machines there. */
const metadataAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an address in numbers may be connected to: public, or loopback in development. What holds an IPv4 address of a
 * translator (NAT64, 6to4, Teredo) is not public; what maps one is judged as that one.
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

/** `localhost` and what is below it are this machine without any question to DNS (RFC 6761). */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** `::1.2.3.4`, which no network has routed for long; the parser takes it for a mapped one. */
function isCompatible(address: string): boolean {
  return /^::[0-9]+\./.test(address);
}

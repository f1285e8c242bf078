import ipaddr from 'ipaddr.js';
import { isCallableAddress, isLoopbackName } from './network-address.ts';

/** An address that we call: wallets, callbacks, diversion (docs/rules/callbacks.md "Addresses"). */
interface Endpoint {
  /** `https://host[:port]`, lower case, without a default port. */
  readonly origin: string;
  /** Origin and path, without a slash at the end. */
  readonly address: string;
}

const maxAddressLength = 2_048;
/** A DNS name or an address; other characters could only mislead. */
const hostForm = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/;
/** Names of no public server: a single label, or below a domain for private networks. */
const innerName = /^[^.]+$|\.(?:local|localdomain|internal|home\.arpa|onion)$/;

/**
 * Reads an address that we may call (docs/rules/callbacks.md "Addresses"): https, or http to loopback in
 * development; a numeric one must be public. null: another text. `outbound` checks what a name resolves to.
 */
export function parseEndpoint(text: string, development: boolean): Endpoint | null {
  const url = readUrl(text);
  if (url === null || !isCallableHost(url.hostname, development)) return null;
  if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) return null;
  return { origin: url.origin, address: `${url.origin}${url.pathname}${url.search}`.replace(/\/+$/, '') };
}

/** The canonical origin of an endpoint without path and query; null for any other text. */
export function parseOrigin(text: string, development: boolean): string | null {
  const url = readUrl(text);
  if (url === null || url.pathname !== '/' || url.search !== '' || text.includes('?')) return null;
  return parseEndpoint(text, development)?.origin ?? null;
}

function readUrl(text: string): URL | null {
  // The URL parser repairs white space and backslashes: refuse them instead.
  if (text.length > maxAddressLength || !/^https?:\/\/[^\s\\]+$/i.test(text) || text.includes('#'))
    return null;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' && hostForm.test(url.hostname) ? url : null;
}

function isCallableHost(hostname: string, development: boolean): boolean {
  const address = hostAddress(hostname);
  if (address !== null) return isCallableAddress(address, development);
  return isLoopbackName(hostname) ? development : !innerName.test(hostname);
}

function isLoopbackHost(hostname: string): boolean {
  const address = hostAddress(hostname);
  return address === null ? isLoopbackName(hostname) : ipaddr.process(address).range() === 'loopback';
}

/** The numeric address of a host, if it is one. The URL parser has normalised its spelling. */
function hostAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) && (hostname.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? bare
    : null;
}

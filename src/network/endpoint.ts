import ipaddr from 'ipaddr.js';
import { isCallableAddress, isLoopbackName } from './network-address.ts';

/** Addresses that we call: wallets, callbacks, diversion (docs/rules/callbacks.md "Addresses"). */
export interface Endpoint {
  /** `https://host[:port]`, lower case, without a default port. */
  readonly origin: string;
  /** Origin and path, without a slash at the end. */
  readonly address: string;
}

const maxAddressLength = 2_048;
/** A name of DNS or an address; other characters could only mislead. */
const hostForm = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/;
/** Names that no public server has: of one label, or below a domain that is kept for inner networks. */
const innerName = /^[^.]+$|\.(?:local|localdomain|internal|home\.arpa|onion)$/;

/**
 * Reads an address that we may call: https, and http for loopback in development. No user, no fragment, no dot at the end of
 * the name; an address in numbers, however it is spelled, must be public, but for loopback in development. null where it is
 * none of these. What a name resolves to is checked by `outbound`, through which all calls go.
 */
export function parseEndpoint(text: string, development: boolean): Endpoint | null {
  const url = readUrl(text);
  if (url === null || !isCallableHost(url.hostname, development)) return null;
  if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) return null;
  return { origin: url.origin, address: `${url.origin}${url.pathname}${url.search}`.replace(/\/+$/, '') };
}

/** An endpoint that is nothing but its origin: no path, no query. Its canonical form, or null. */
export function parseOrigin(text: string, development: boolean): string | null {
  const url = readUrl(text);
  if (url === null || url.pathname !== '/' || url.search !== '' || text.includes('?')) return null;
  return parseEndpoint(text, development)?.origin ?? null;
}

function readUrl(text: string): URL | null {
  // The parser forgives white space and backslashes; what is registered and compared must not need to be forgiven.
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

/** The address that a host in numbers is; the URL's parser has brought all of its spellings to the usual one. */
function hostAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) && (hostname.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? bare
    : null;
}

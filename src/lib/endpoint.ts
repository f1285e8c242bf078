import ipaddr from 'ipaddr.js';

/** Addresses that we call: wallets, callbacks, diversion (events.md, "Callbacks and webhooks"). */
export interface Endpoint {
  /** `https://host[:port]`, lower case, without a default port. */
  readonly origin: string;
  /** Origin and path, without a slash at the end. */
  readonly address: string;
}

const longestAddress = 2_048;
/** A name of DNS or an address; other characters could only mislead. */
const hostForm = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9.])?|\[[0-9a-f:.]+\])$/;

/**
 * Reads an address that we may call: https, and http for loopback in development. No user, no fragment; an address
 * in numbers must be public, but for loopback in development. null where it is none of these. What a name resolves to is
 * for the one who connects (`isCallableAddress`).
 */
export function parseEndpoint(text: string, development: boolean): Endpoint | null {
  const url = readUrl(text);
  if (url === null) return null;
  const loopback = isLoopbackHost(url.hostname);
  if (loopback ? !development : isInnerHost(url.hostname)) return null;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) return null;
  return { origin: url.origin, address: `${url.origin}${url.pathname}${url.search}`.replace(/\/+$/, '') };
}

/** An endpoint that is nothing but its origin: no path, no query. Its canonical form, or null. */
export function parseOrigin(text: string, development: boolean): string | null {
  const url = readUrl(text);
  if (url === null || url.pathname !== '/' || url.search !== '' || text.includes('?')) return null;
  return parseEndpoint(text, development)?.origin ?? null;
}

/** Whether an address that a name resolved to may be connected to: public, or loopback in development. */
export function isCallableAddress(address: string, development: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return range === 'unicast' || (development && range === 'loopback');
}

function readUrl(text: string): URL | null {
  // The parser forgives white space and backslashes; what is registered and compared must not need to be forgiven.
  if (text.length > longestAddress || !/^https?:\/\/[^\s\\]+$/i.test(text) || text.includes('#')) return null;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' && hostForm.test(url.hostname) ? url : null;
}

function isLoopbackHost(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  const address = hostAddress(hostname);
  return address !== null && ipaddr.process(address).range() === 'loopback';
}

/** An address in numbers that is not public. */
function isInnerHost(hostname: string): boolean {
  const address = hostAddress(hostname);
  return address !== null && ipaddr.process(address).range() !== 'unicast';
}

function hostAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) && (hostname.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? bare
    : null;
}

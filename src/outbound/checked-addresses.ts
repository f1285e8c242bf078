import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isCallableAddress, isLoopbackName } from '../network/network-address.ts';

export interface AddressCheck {
  readonly resolve: ResolveName;
  /** Loopback may be called. */
  readonly development: boolean;
}

/** The host, or an address of its name, is one that we do not call. Trying again changes nothing. */
export class AddressNotAllowed extends Error {
  readonly code = 'address_not_allowed';
  readonly retryable = false;
}

export class NameNotResolved extends Error {
  readonly code = 'name_not_resolved';
  readonly retryable = true;
}

/** The connection, its security, the time, or what came back was not good enough for an answer. */
export class NoAnswer extends Error {
  readonly code = 'no_answer';
  readonly retryable = true;
}

const loopback = ['127.0.0.1', '::1'];

/**
 * The addresses of a URL's host, all of which may be called: one that may not condemns the others, because
 * the name's owner can answer otherwise the next time.
 * @throws AddressNotAllowed, NameNotResolved
 */
export async function checkedAddresses(
  host: string,
  { resolve, development }: AddressCheck,
): Promise<readonly string[]> {
  const addresses = await addressesOf(host, resolve);
  const wrong = addresses.find((address) => !isCallableAddress(address, development));
  if (wrong !== undefined) throw new AddressNotAllowed(`${host} is at ${wrong}, which may not be called.`);
  if (addresses.length === 0) throw new NameNotResolved(`${host} has no address.`);
  return addresses;
}

async function addressesOf(host: string, resolve: ResolveName): Promise<readonly string[]> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return [bare];
  if (isLoopbackName(host)) return loopback;
  try {
    return await resolve(host);
  } catch (error) {
    throw new NameNotResolved(`${host} does not resolve.`, { cause: error });
  }
}

/** All addresses that a name has. Rejects where it has none, or no server answers. */
type ResolveName = (name: string) => Promise<readonly string[]>;

/** Fewer than a try of a call has time for. */
const queryTimeoutMs = 700;
const queryTries = 2;

/**
 * DNS alone: names of the hosts file are internal, and a slow answer must not hold a thread that others wait
 * for.
 */
export function dnsResolver(): ResolveName {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

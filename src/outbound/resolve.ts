import { Resolver } from 'node:dns/promises';

/** All addresses that a name has. Rejects where it has none, or no server answers. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

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

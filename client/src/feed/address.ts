import type { FeedOptions } from './events.ts';
import { platform } from './platform.ts';

export type Credential = 'ticket' | 'token' | null;

/** Where a feed and its HTTP operations are. */
export interface Place {
  /** Scheme, host and what stands before the service's paths; http(s). */
  readonly service: string;
  /** The feed's path. */
  readonly path: string;
  readonly operator: string;
  readonly brand: string;
}

/** @throws TypeError where the options name no feed */
export function placeOf({ url, brand = '' }: FeedOptions, credential: Credential): Place {
  const { protocol, host, pathname } = new platform.URL(url, platform.location?.href);
  const scheme = protocol.replace(/^ws/, 'http');
  const [, before = '', feed = '', named = ''] =
    /^(.*?)((?:\/events?|\/v1\/public)\/([^/]+\/[^/]+|service)(?:\/events)?)?\/*$/.exec(pathname) ?? [];
  // A brand may be named by its path, too, as operations do.
  const names = (named || brand).split(/[/:]/).map((part) => decodeURIComponent(part));
  const [operator = '', id = ''] = [names[0], names.at(-1)];
  const service = `${scheme}//${host}${before.replace(/\/+$/, '')}`;
  if (feed === '/events/service') return { service, path: feed, operator, brand: id };
  if (!/^https?:$/.test(scheme) || names.length < 2 || operator === '' || id === '')
    throw new TypeError('A feed needs the address of a service, and a brand as "operator_id/brand_id".');
  const owner = `${encodeURIComponent(operator)}/${encodeURIComponent(id)}`;
  const path = credential === null ? `/v1/public/${owner}/events` : `/events/${owner}`;
  return { service, path, operator, brand: id };
}

export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0
    ? address
    : `${address}?${new platform.URLSearchParams(Object.fromEntries(given))}`;
}

/**
 * Whether a page of that origin may open a player's feed or the status feed. Clients that are no browsers send none. The
 * service's own pages may; no other origin has been registered (docs/decisions/0143).
 */
export function isOriginAllowed(origin: string, host: string): boolean {
  return host !== '' && (origin === `https://${host}` || origin === `http://${host}`);
}

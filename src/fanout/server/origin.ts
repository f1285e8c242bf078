/** Whether it is a page of the service itself; other pages need a cross-origin rule (docs/decisions/0230). */
export function isOwnOrigin(origin: string, host: string): boolean {
  return host !== '' && (origin === `https://${host}` || origin === `http://${host}`);
}

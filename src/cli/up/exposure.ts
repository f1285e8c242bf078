import { isLoopbackAddress } from '../../lib/loopback.ts';

/** Which addresses reach `potstream up`, and whether it runs in development mode. */

/**
 * The demo's page acts as its players for anybody who opens it, so it belongs on loopback.
 * @returns the message for the person who started it; null: no objection
 */
export function exposureFault(start: {
  readonly hosts: readonly { readonly variable: string; readonly host: string }[];
  readonly demo: boolean;
  readonly publicDemo: boolean;
}): string | null {
  if (!start.demo || start.publicDemo) return null;
  const exposed = start.hosts.find(({ host }) => !isLoopbackAddress(host));
  if (exposed === undefined) return null;
  return (
    `${exposed.variable} is ${exposed.host}: everybody who reaches that address could play as the demo's players. ` +
    'Start with --no-demo, or with --public-demo if that is what you want.'
  );
}

/**
 * Development mode lets wallets and webhooks use plain HTTP to loopback. It has its own switch. The demo implies it,
 * because its wallet listens on loopback. The gateway's address does not matter.
 */
export function isDevelopment(start: { readonly demo: boolean; readonly said: boolean | null }): boolean {
  return start.said ?? start.demo;
}

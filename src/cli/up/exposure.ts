import { isLoopbackAddress } from '../../lib/loopback.ts';
import type { Listener } from './ports.ts';

/**
 * The demo's page acts as its players for anybody who opens it, so it belongs on loopback.
 * @returns the message for the person who started it; null: no objection
 */
export function exposureFault(start: {
  readonly listeners: readonly Pick<Listener, 'variables' | 'host'>[];
  readonly demo: boolean;
  readonly publicDemo: boolean;
}): string | null {
  if (!start.demo || start.publicDemo) return null;
  const exposed = start.listeners.find(({ host }) => !isLoopbackAddress(host));
  if (exposed === undefined) return null;
  return (
    `${exposed.variables.host} is ${exposed.host}: everybody who reaches that address could play as the demo's players. ` +
    'Start with --no-demo, or with --public-demo if that is what you want.'
  );
}

/**
 * Development mode lets wallets and webhooks use plain HTTP to loopback. It has its own switch. The demo
 * implies it, because its wallet listens on loopback. The gateway's address does not matter.
 */
export function isDevelopment(start: { readonly demo: boolean; readonly said: boolean | null }): boolean {
  return start.said ?? start.demo;
}

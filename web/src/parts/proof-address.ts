import type { Won } from '../state/messages.ts';

/** The verifier's page with the epoch in which the win was drawn, and the win itself. */
export function proofAddress(won: Pick<Won, 'instanceId' | 'pot' | 'timestampMs'>): string {
  const query = new URLSearchParams({
    instance: won.instanceId,
    pot: won.pot,
    at: String(won.timestampMs),
  });
  return `/verify?${query}`;
}

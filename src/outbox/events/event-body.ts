import { authorize } from '../../access/rights/authorize.ts';
import type { Envelope } from '../../directory/events/feed-event.ts';
import { type ServiceView, serviceView } from '../../directory/events/viewer.ts';
import type { Subscription } from './subscriptions.ts';

/** What a subscription sees: as a service of the operator that acts for these brands sees the feed. */
export function subscriberView({ operator, brands }: Subscription): ServiceView {
  const principal = { kind: 'service', subject: '', operator, brands, tokenId: '', expiresAtMs: 0 } as const;
  return serviceView(operator, (path) => authorize(principal, 'read', path) === 'allowed');
}

/** The body of an event: that of the feed with the ids in front (docs/rules/webhooks.md "Events"). */
export function eventBody({
  id,
  subscription,
  envelope,
  seq,
}: {
  readonly id: string;
  readonly subscription: string;
  readonly envelope: Envelope;
  readonly seq: number | null;
}): string {
  const head = `{"event_id":"${id}","subscription_id":"${subscription}",`;
  return `${head}${envelope.before.slice(1)}${seq}${envelope.after}`;
}

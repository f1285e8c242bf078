import { nameUuid, uuidBytes } from '../../lib/uuid.ts';

/** Namespace of event ids. It must never change: ids are made again from it. */
const namespace = uuidBytes('b3c1f5a2-6d0e-4b57-9c38-0f8a7d2e4461');

/** The event id of a contribution's callback (docs/rules/callbacks.md "Events"). */
export function callbackEventId(contributionId: string): string {
  return nameUuid(namespace, `callback/${contributionId}`);
}

/** The id of an event for a subscription: another subscription may get another body. */
export function subscribedEventId(subscription: string, { lane, sequence, index }: EventPlace): string {
  return nameUuid(namespace, `event/${subscription}/${lane}/${sequence}/${index}`);
}

/** The place of an event in the outcome records. */
interface EventPlace {
  readonly lane: number;
  readonly sequence: number;
  readonly index: number;
}

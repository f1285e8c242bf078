import { nameUuid, uuidBytes } from '../../lib/uuid.ts';

/** Namespace of event ids. It must never change: ids are made again from it. */
const namespace = uuidBytes('b3c1f5a2-6d0e-4b57-9c38-0f8a7d2e4461');

/** The event id of a contribution's callback (docs/rules/callbacks.md "Events"). */
export function callbackEventId(contributionId: string): string {
  return nameUuid(namespace, `callback/${contributionId}`);
}

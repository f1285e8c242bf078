import * as z from 'zod';
import { subscribableEvents } from '../directory/webhook.ts';
import { brandField, ownerField, ownIdField } from '../fields/identifier-fields.ts';
import { cursorQuery } from '../fields/lists.ts';
import { reasonField } from '../jackpots/instance.ts';

/** Stored deliveries: not accepted yet, or given up (docs/rules/callbacks.md "Decisions of people"). */
export const deliveryStates = ['pending', 'dead'] as const;
/** `backlog`: callbacks of a receiver, or events of a subscription, that are too many for an entry each. */
export const deliveryKinds = ['callback', 'flush', 'backlog', 'event'] as const;
/** What a replay of a time range sends. */
export const replayKinds = ['callback', 'event'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];
export const deliveryFields = ['created_timestamp', 'next_try_timestamp'] as const;
export type DeliveryField = (typeof deliveryFields)[number];

/** The id of an event or flush: a UUID. */
export const deliveryIdField = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'invalid_identifier');

/** Amounts are in atoms here, exact numbers on the wire. */
export const deliveryShape = z.strictObject({
  id: z.string(),
  event_id: z.string(),
  /** null: events of several types. */
  event_type: z.enum(['ContributionResult', 'DiversionFlush', ...subscribableEvents]).nullable(),
  kind: z.enum(deliveryKinds),
  /** The brand of a callback, the owner of a flushed instance, the operator of a backlog. */
  owner_id: z.string(),
  /** The subscription that has the event; null: it is none. */
  subscription_id: z.string().nullable(),
  /** null: a contribution that was refused before its instance was known. */
  instance_id: z.string().nullable(),
  /** The origin of the address, whose path may have secrets. */
  origin: z.string(),
  /** `resolved`: a person has just ended it. */
  state: z.enum([...deliveryStates, 'resolved']),
  attempts: z.int(),
  last_error: z.string().nullable(),
  last_try_timestamp: z.int().nullable(),
  /** null: there is no next try. */
  next_try_timestamp: z.int().nullable(),
  created_timestamp: z.int(),
  age_ms: z.int(),
  /** Events that wait: 1, or about as many as a backlog has. */
  deliveries: z.int(),
  /** The amount of a flush. */
  amount: z.bigint().nullable(),
  currency: z.string().nullable(),
});
export type DeliveryView = z.output<typeof deliveryShape>;

/** null: a backlog of events has several types. */
export function deliveryEventType({
  kind,
  subscription,
  eventType,
}: {
  readonly kind: DeliveryKind;
  readonly subscription?: string | undefined;
  readonly eventType?: string | undefined;
}): DeliveryView['event_type'] {
  if (subscription !== undefined) return subscribableEvents.find((type) => type === eventType) ?? null;
  return kind === 'flush' ? 'DiversionFlush' : 'ContributionResult';
}

export const deliveriesQuery = cursorQuery(deliveryFields, {
  state: z.enum(deliveryStates).optional(),
  kind: z.enum(deliveryKinds).optional(),
  owner_id: ownerField.optional(),
  brand_id: brandField.optional(),
  instance_id: ownIdField.optional(),
});

/** The body of a decision that ends a delivery. */
export const deliveryResolution = z.strictObject({
  result: z.enum(['confirmed', 'failed']),
  reason: reasonField,
});

/** The body of a replay of a time range, in milliseconds; both ends belong to it. */
export const replayRange = z.strictObject({
  from: z.int().min(0),
  to: z.int().min(0),
  /** Absent: callbacks. */
  kind: z.enum(replayKinds).nullish(),
});

/** A replay of a time range. */
export const replayShape = z.strictObject({
  id: z.string(),
  from: z.int(),
  to: z.int(),
  state: z.enum(['running', 'done']),
  created_timestamp: z.int(),
  kind: z.enum(replayKinds),
  /** Deliveries that were sent again so far. */
  deliveries: z.int(),
});
export type ReplayView = z.output<typeof replayShape>;

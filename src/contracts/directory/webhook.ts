import * as z from 'zod';
import type { JackpotEventType } from '../feeds/feed-events.ts';
import { brandField, ownIdField } from '../fields/identifier-fields.ts';
import { brandPath, isBrandPath } from '../fields/identifiers.ts';
import { operatorFilter } from '../fields/lists.ts';
import { secret } from '../fields/secrets.ts';
import type { WebhookSubscription } from './directory.ts';

/** The body of O1. */
export const webhookSignature = z.strictObject({
  operator_id: ownIdField,
  brand_id: brandField.nullish(),
  secret_key: secret(z.string().min(1).max(4096)),
});

/** O1 answers in the shape of an error. */
export const webhookSignatureStored = z.strictObject({
  status_code: z.literal(200),
  code: z.literal('ok'),
  message: z.string(),
});

/** An origin that callbacks of an operator may go to (docs/rules/callbacks.md "Addresses"). */
export const webhookOrigin = z.strictObject({
  operator_id: ownIdField,
  origin: z.string().min(1).max(2048),
});

/** The feeds' events that addresses can subscribe to (docs/rules/webhooks.md "Events"). */
export const subscribableFeedEvents = [
  'WinEvent',
  'RaffleWinEvent',
  'InstanceStatusEvent',
  'PayoutEvent',
  'CommunityPayoutErrorEvent',
  'OptInEvent',
] as const satisfies readonly JackpotEventType[];

/** All that addresses can subscribe to. */
export const subscribableEvents = [...subscribableFeedEvents, 'MustDropEvent'] as const;

/** Subscriptions of an operator. */
export const maxSubscriptions = 20;

const subscriptionId = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'invalid_identifier');
const eventTypes = z
  .array(z.enum(subscribableEvents))
  .min(1)
  .refine((types) => new Set(types).size === types.length);
const address = z.string().min(1).max(2048);

export const subscriptionParams = z.strictObject({ id: subscriptionId });
export const subscriptionsQuery = z.strictObject(operatorFilter);

export const newWebhookSubscription = z.strictObject({
  /** Absent: the caller's operator. */
  operator_id: ownIdField.nullish(),
  /** Whose players are named; absent: those of all brands, later ones included. */
  brand_ids: z.array(brandField).min(1).max(100).nullish(),
  url: address,
  event_types: eventTypes,
});

/** What is absent stays. */
export const webhookSubscriptionChange = z.strictObject({
  url: address.nullish(),
  event_types: eventTypes.nullish(),
});

export const webhookSubscription = z.strictObject({
  id: z.string(),
  operator_id: z.string(),
  /** Brand paths; null: all brands of the operator. */
  brand_ids: z.array(z.string()).nullable(),
  url: z.string(),
  event_types: z.array(z.enum(subscribableEvents)),
  created_timestamp: z.int(),
});

/** A stored subscription as it is shown. */
export function subscriptionView(
  operator: string,
  { id, brands, url, event_types, created_timestamp }: WebhookSubscription,
): z.output<typeof webhookSubscription> {
  return {
    id,
    operator_id: operator,
    brand_ids: brands,
    url,
    event_types: subscribableEvents.filter((type) => event_types.includes(type)),
    created_timestamp,
  };
}

/** The paths of brands that a body names, in order; null: it names none. */
export function brandPaths(operator: string, brands: readonly string[] | null | undefined): string[] | null {
  if (brands === null || brands === undefined) return null;
  return [
    ...new Set(brands.map((brand) => (isBrandPath(brand) ? brand : brandPath(operator, brand)))),
  ].sort();
}

/** Whether another subscription has the same address for the same brands. */
export function isSubscribed(all: readonly WebhookSubscription[], one: WebhookSubscription): boolean {
  const brandsOf = ({ brands }: WebhookSubscription) => brands?.join() ?? '';
  return all.some((each) => each.id !== one.id && each.url === one.url && brandsOf(each) === brandsOf(one));
}

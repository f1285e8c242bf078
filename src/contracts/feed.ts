import * as z from 'zod';

/**
 * What travels over the event feeds O21 and O22 (document 1, "Events"): the envelope of every event and the messages
 * that a client may send.
 */
export interface FeedEnvelope {
  readonly msg_type: 'Event';
  readonly source: FeedSourceName;
  readonly event_type: string;
  readonly operator_id: string | null;
  /** Brand path. */
  readonly brand_id: string | null;
  readonly player_id: string | null;
  readonly instance_id: string | null;
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly data: unknown;
}

export const feedSources = ['jackpot', 'campaign', 'drop'] as const;
export type FeedSourceName = (typeof feedSources)[number];

/** Subscribes to all event types of a source. */
export const everyEventType = '*';

/** Entries of one SubscribeRequest, and how it names things. Its size is bounded by the message's 4 KiB. */
export const subscriptionsLimit = 32;
const longestEventType = 64;
const longestInstanceId = 64;

const eventSequence = z.int().min(0);
const instanceId = z.string().min(1).max(longestInstanceId);

const subscription = z.strictObject({
  source: z.enum(feedSources),
  event_type: z.string().min(1).max(longestEventType),
  instance_ids: z.array(instanceId).nullish(),
  since: z.record(instanceId, eventSequence).nullish(),
});

const clientMessage = z.union([
  z.strictObject({
    SubscribeRequest: z.strictObject({ events: z.array(subscription).min(1).max(subscriptionsLimit) }),
  }),
  z.strictObject({ UnsubscribeRequest: z.strictObject({}) }),
  z.strictObject({ RefreshTokenRequest: z.strictObject({ token: z.string().min(1) }) }),
]);

export type SubscriptionEntry = z.output<typeof subscription>;
export type ClientMessage = z.output<typeof clientMessage>;

/** null: not JSON, or not one of the messages. */
export function parseClientMessage(text: string): ClientMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = clientMessage.safeParse(value);
  return parsed.success ? parsed.data : null;
}

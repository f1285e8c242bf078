import * as z from 'zod';
import { brandField, foreignIdField, ownIdField } from '../fields/identifier-fields.ts';
import { everyEventType, type FeedSourceName, foreignSources, jackpotEventTypes } from './feed-events.ts';

/** Messages of the feeds O4, O21, O22, and other platforms' events (docs/rules/feeds.md "Envelope"). */
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

/** What a client says to a feed in one message, all of its fragments together. */
export const clientMessageBytes = 4_096;

/** Entries of one SubscribeRequest, and how it names things. Its size is bounded by the message's 4 KiB. */
const subscriptionsLimit = 32;
const maxInstanceIdLength = 64;
const maxTokenLength = 4_096;

const eventSequence = z.int().min(0);
const instanceId = z.string().min(1).max(maxInstanceIdLength);
/** 1 to 64 characters, as in `POST /v1/events`. */
const eventTypeField = z.string().regex(/^[\s\S]{1,64}$/u);
const tokenField = z.string().min(1).max(maxTokenLength);

const narrowing = {
  instance_ids: z.array(instanceId).nullish(),
  since: z.record(instanceId, eventSequence).nullish(),
};
const subscription = z.discriminatedUnion('source', [
  z.strictObject({
    source: z.literal('jackpot'),
    event_type: z.enum([everyEventType, ...jackpotEventTypes]),
    ...narrowing,
  }),
  /** What other platforms call their events is not known here. */
  z.strictObject({ source: z.enum(foreignSources), event_type: eventTypeField, ...narrowing }),
]);

export const subscribeRequest = z.strictObject({
  SubscribeRequest: z.strictObject({ events: z.array(subscription).min(1).max(subscriptionsLimit) }),
});
export const unsubscribeRequest = z.strictObject({ UnsubscribeRequest: z.strictObject({}) });
export const refreshTokenRequest = z.strictObject({
  RefreshTokenRequest: z.strictObject({ token: tokenField }),
});
/** O4: a service's token alone, or a player's with operator, brand and currency. */
export const authenticateRequest = z.strictObject({
  AuthenticateRequest: z.strictObject({
    token: tokenField,
    operator_id: ownIdField.nullish(),
    brand_id: brandField.nullish(),
    currency: z.string().min(1).max(16).nullish(),
  }),
});

const eventFeedMessage = z.union([subscribeRequest, unsubscribeRequest, refreshTokenRequest]);
const statusFeedMessage = z.union([authenticateRequest, refreshTokenRequest]);

export type SubscriptionEntry = z.output<typeof subscription>;
type ClientMessage = z.output<typeof eventFeedMessage>;
export type StatusMessage = z.output<typeof statusFeedMessage>;

/** O21, O22. null: not JSON, or not one of the messages. */
export function parseClientMessage(text: string): ClientMessage | null {
  return parse(eventFeedMessage, text);
}

/** O4. null: not JSON, or not one of the messages. */
export function parseStatusMessage(text: string): StatusMessage | null {
  return parse(statusFeedMessage, text);
}

/** `feed.<operator>` of core NATS: another platform's event for a player, or for a whole brand. */
const foreignEvent = z.strictObject({
  source: z.enum(foreignSources),
  event_type: eventTypeField,
  /** Brand path. */
  brand: brandField,
  player: foreignIdField.nullable(),
  timestamp: z.int(),
  data: z.unknown(),
});
type ForeignEventHead = Readonly<Omit<z.output<typeof foreignEvent>, 'data'>>;
/** `data` is JSON text, as the platform wrote it. */
export type ForeignEvent = ForeignEventHead & { readonly data: string };

const dataMember = ',"data":';

/** The bytes of `feed.<operator>`. */
export function encodeForeignEvent({ data, ...head }: ForeignEvent): Uint8Array {
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)}${dataMember}${data}}`, 'utf8');
}

/** null: the message is none. */
export function decodeForeignEvent(bytes: Uint8Array): ForeignEvent | null {
  const text = Buffer.from(bytes).toString('utf8');
  const event = parse(foreignEvent, text);
  // The members before it are no objects, and in a text the quotes would be escaped.
  const at = text.indexOf(dataMember);
  return event === null || at < 0 ? null : { ...event, data: text.slice(at + dataMember.length, -1) };
}

function parse<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

import * as z from 'zod';
import { brandField, foreignIdField } from '../fields/identifier-fields.ts';
import { optInStatusShape } from '../jackpots/opt-in.ts';
import { ticketShape } from '../jackpots/raffle-view.ts';

const feedSources = ['jackpot', 'campaign', 'drop'] as const;
export type FeedSourceName = (typeof feedSources)[number];
/** Sources whose events come from other platforms. */
export const foreignSources = ['campaign', 'drop'] as const;
export type ForeignSourceName = (typeof foreignSources)[number];

/** Subscribes to all event types of a source. */
export const everyEventType = '*';

/** What the feeds send (docs/rules/feeds.md "Events"); amounts are exact numbers on the wire. */
const currency = z.string();

/** An instance's live values (O20). */
export const tickerShape = z.strictObject({
  id: z.string(),
  jackpot_type: z.string(),
  currency,
  pots: z.array(
    z.strictObject({
      id: z.string(),
      is_progressive: z.boolean(),
      current_value: z.string(),
      community_split: z.string(),
    }),
  ),
  allowed_brands: z.array(z.string()),
  allowed_sources: z.array(z.string()),
  status: z.string(),
  timestamp_start: z.int(),
  timestamp_end: z.int().nullable(),
  last_updated: z.int(),
});

const communityWinner = z.strictObject({ player_id: z.string(), win_amount: z.bigint(), currency });

const payout = z.strictObject({
  transaction_id: z.string(),
  batch_id: z.string().nullable(),
  kind: z.enum(['main', 'community', 'raffle']),
  state: z.enum(['pending', 'withheld', 'unknown', 'dead', 'settled']),
  reason: z.string().nullable(),
  win_pot_id: z.string(),
  instance_count: z.int(),
  player_id: z.string(),
  win_amount: z.bigint(),
  currency,
  paid_amount: z.bigint(),
  paid_currency: z.string(),
  rate_version: z.int(),
});

/** `data` of each event type of the source `jackpot`, and who gets it. */
export const jackpotEvents = {
  JackpotUpdate: {
    description:
      'The ticker of an instance with the head of its hash chain: on change, at most once a second, at least every 5 s. Everyone in scope.',
    data: z.strictObject({
      ...tickerShape.shape,
      head: z.string(),
      epoch: z.int(),
      /** The newest counted event that was sent before it (docs/rules/feeds.md "Snapshot and recovery"). */
      event_seq: z.int(),
      /** In the snapshot of a subscription with `since`. */
      recovered: z.boolean().optional(),
    }),
  },
  WinEvent: {
    description: 'A win. Everyone in scope; players are masked for others.',
    data: z.strictObject({
      win_pot_id: z.string(),
      win_amount: z.bigint(),
      currency,
      player_id: z.string(),
      community_winners: z.array(communityWinner),
      instance_count: z.int(),
      seed: z.bigint(),
      seed_deficit: z.bigint(),
      rate_version: z.int(),
      win_withheld: z.boolean(),
      external: z.boolean(),
      event_metadata: z.unknown(),
    }),
  },
  InstanceStatusEvent: {
    description: 'An instance has another status. Everyone in scope.',
    data: z.strictObject({ instance_id: z.string(), status: z.string(), reason: z.string() }),
  },
  OptInEvent: {
    description: "A player's opt-in status has changed. That player, and services.",
    data: optInStatusShape,
  },
  RaffleTicketEvent: {
    description: 'A player was given tickets: the ticket record of the round. That player, and services.',
    data: ticketShape,
  },
  RaffleWinEvent: {
    description:
      'Prizes of a round in the order of the draw. Everyone in scope; players are masked for others.',
    data: z.strictObject({
      win_pot_id: z.string(),
      instance_count: z.int(),
      round: z.int(),
      tickets: z.int(),
      currency,
      winners: z.array(
        z.strictObject({
          player_id: z.string(),
          brand_id: z.string(),
          tier: z.int(),
          ticket: z.int(),
          win_amount: z.bigint(),
          win_withheld: z.boolean(),
        }),
      ),
      seed: z.bigint(),
      seed_deficit: z.bigint(),
    }),
  },
  PayoutEvent: { description: "What became of a win's money. Services.", data: payout },
  CommunityPayoutErrorEvent: {
    description: 'A community share that could not be paid. Services.',
    data: payout,
  },
} as const;

export type JackpotEventType = keyof typeof jackpotEvents;
export const jackpotEventTypes = Object.keys(jackpotEvents) as JackpotEventType[];

/** The envelope around `data`. */
export function eventShape(source: z.ZodType, eventType: z.ZodType, data: z.ZodType) {
  return z.strictObject({
    msg_type: z.literal('Event'),
    source,
    event_type: eventType,
    operator_id: z.string().nullable(),
    brand_id: z.string().nullable(),
    player_id: z.string().nullable(),
    instance_id: z.string().nullable(),
    seq: z.int(),
    timestamp: z.int(),
    data,
  });
}

/** Other platforms' events. */
export const foreignEventShape = eventShape(
  z.enum(feedSources).exclude(['jackpot']),
  z.string(),
  z.unknown(),
);

/** O4. */
export const jackpotStatusShape = z.strictObject({
  msg_type: z.literal('JackpotStatus'),
  timestamp: z.int(),
  part: z.int().min(1),
  parts: z.int().min(1),
  /** Lanes that do not serve: their jackpots are not among these. */
  incomplete_lanes: z.array(z.int().min(0)).optional(),
  jackpots: z.array(tickerShape).max(100),
});

/** The name of a type as a subscription can name it. */
const eventType = z
  .string()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u)
  .refine((name) => name !== everyEventType);

/** The body of `POST /v1/events` (docs/rules/feeds.md "Events of other platforms"). */
export const platformEvent = z.strictObject({
  source: z.enum(foreignSources),
  event_type: eventType,
  brand_id: brandField,
  /** Absent: for the whole brand. */
  player_id: foreignIdField.nullish(),
  /** Any JSON but null. */
  data: z.unknown(),
});

import * as z from 'zod';
import { formatAmount } from '../../lib/money.ts';
import type { InstanceDescription, LiveValues } from '../../messages/records.ts';
import { eventShape } from './feed-events.ts';

/**
 * All that a brand's public feed shows: a list, so that nothing new becomes public by itself
 * (docs/rules/feeds.md "Public feed").
 */
const publicTickerShape = z.strictObject({
  id: z.string(),
  currency: z.string(),
  pots: z.array(z.strictObject({ id: z.string(), current_value: z.string() })),
  /** A page finds the jackpot of a game by them. */
  allowed_sources: z.array(z.string()),
  status: z.string(),
  timestamp_start: z.int(),
  timestamp_end: z.int().nullable(),
  last_updated: z.int(),
});

/** A snapshot of a brand's jackpots over HTTP. */
export const publicJackpotsShape = z.strictObject({ jackpots: z.array(publicTickerShape) });

/** Jackpots of a snapshot. */
export const publicJackpots = 64;

const currency = z.string();
const winner = z.strictObject({ player_id: z.string(), win_amount: z.bigint() });

/** `data` of each event of the public feed. */
export const publicEvents = {
  JackpotUpdate: {
    description: 'The public ticker of an instance: on change, at most once a second, at least every 5 s.',
    data: z.strictObject({
      ...publicTickerShape.shape,
      event_seq: z.int(),
      recovered: z.boolean().optional(),
    }),
  },
  WinEvent: {
    description: "A win of the brand's player, masked; where the brand shows its wins.",
    data: z.strictObject({
      win_pot_id: z.string(),
      win_amount: z.bigint(),
      currency,
      player_id: z.string(),
      community_winners: z.array(z.strictObject({ ...winner.shape, currency })),
    }),
  },
  RaffleWinEvent: {
    description: "Prizes of the brand's players in a round, masked; where the brand shows its wins.",
    data: z.strictObject({ win_pot_id: z.string(), currency, winners: z.array(winner) }),
  },
  InstanceStatusEvent: {
    description: 'An instance has another status.',
    data: z.strictObject({ instance_id: z.string(), status: z.string() }),
  },
} as const;

/** The envelope of every event of the public feed. */
export const publicEventShape = z.discriminatedUnion('event_type', [
  publicEventOf('JackpotUpdate'),
  publicEventOf('WinEvent'),
  publicEventOf('RaffleWinEvent'),
  publicEventOf('InstanceStatusEvent'),
]);

function publicEventOf<T extends keyof typeof publicEvents>(type: T) {
  return eventShape(z.literal('jackpot'), z.literal(type), publicEvents[type].data);
}

/** A jackpot as everybody may see it; `show` writes an amount of it. */
export function publicTickerView(
  { instance, timestampStartMs, timestampEndMs }: InstanceDescription,
  { pots, status, lastUpdatedMs }: LiveValues,
  shown: {
    readonly pots: readonly { readonly id: string }[];
    readonly sources: readonly string[];
    readonly currency: string;
  },
  show: (atoms: bigint) => bigint,
): z.output<typeof publicTickerShape> {
  return {
    id: instance,
    currency: shown.currency,
    pots: shown.pots.map(({ id }) => ({
      id,
      current_value: formatAmount(show(pots.find(({ pot }) => pot === id)?.currentAtoms ?? 0n)),
    })),
    allowed_sources: [...shown.sources],
    status,
    timestamp_start: timestampStartMs,
    timestamp_end: timestampEndMs,
    last_updated: lastUpdatedMs,
  };
}

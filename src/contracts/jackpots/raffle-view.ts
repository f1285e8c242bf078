import * as z from 'zod';
import { formatAmount } from '../../lib/money.ts';
import type { TicketRecord } from '../../messages/records.ts';

/** A player's tickets in the current round of a raffle. */
export const ticketShape = z.strictObject({
  instance_id: z.string(),
  brand_id: z.string(),
  player_id: z.string(),
  ext_player_id: z.string(),
  ticket_count: z.int(),
  accumulated_cost: z.string(),
  timestamp_start: z.int(),
  timestamp_end: z.int(),
});
type TicketShape = z.output<typeof ticketShape>;

/** A record of the log as an answer shows it; the cost as a decimal string, times in milliseconds. */
export function ticketView(record: TicketRecord): TicketShape {
  return {
    instance_id: record.instance,
    brand_id: record.brand,
    player_id: `${record.brand}:${record.player}`,
    ext_player_id: record.player,
    ticket_count: record.ticketCount,
    accumulated_cost: formatAmount(record.accumulatedAtoms),
    timestamp_start: record.startMs,
    timestamp_end: record.endMs,
  };
}

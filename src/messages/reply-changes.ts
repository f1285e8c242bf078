import type { BatchReply } from './bus-messages.ts';
import { isReadModelEvent, type LaneEvent } from './events.ts';
import { winSizesOf } from './win-sizes.ts';

/** What of a message's events a gateway gets: the changes that read models take in, and the sizes of the wins. */
export function replyChangesOf(events: readonly LaneEvent[]): Pick<BatchReply, 'events' | 'wins'> {
  return { events: events.filter(isReadModelEvent), wins: winSizesOf(events) };
}

import { winSizesOf } from './announced-bytes.ts';
import type { BatchReply } from './bus-messages.ts';
import { isReadModelEvent, type LaneEvent } from './events.ts';

/** The events that a gateway gets: changes for read models, and the sizes of wins. */
export function replyChangesOf(events: readonly LaneEvent[]): Pick<BatchReply, 'events' | 'wins'> {
  return { events: events.filter(isReadModelEvent), wins: winSizesOf(events) };
}

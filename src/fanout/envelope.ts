import type { FeedEnvelope } from '../contracts/feed.ts';
import { writeJson } from '../lib/json.ts';

/** The text frame of one event. Amounts in `data` are bigint atoms where the documents say number. */
export function encodeEvent(event: Omit<FeedEnvelope, 'msg_type' | 'source'>): Buffer {
  const envelope: FeedEnvelope = {
    msg_type: 'Event',
    source: 'jackpot',
    event_type: event.event_type,
    operator_id: event.operator_id,
    brand_id: event.brand_id,
    player_id: event.player_id,
    instance_id: event.instance_id,
    seq: event.seq,
    timestamp: event.timestamp,
    data: event.data,
  };
  return Buffer.from(writeJson(envelope), 'utf8');
}

/** How a player is shown to others: the first two characters and `***`. */
export function maskPlayer(player: string): string {
  return `${[...player].slice(0, 2).join('')}***`;
}

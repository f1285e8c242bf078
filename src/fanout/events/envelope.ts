import type { FeedEnvelope } from '../../contracts/feeds/feed.ts';
import { writeJson } from '../../lib/json.ts';

/** An event as text, but for its `seq`: that is the socket's own for private and foreign events. */
export interface Envelope {
  readonly before: string;
  readonly after: string;
}

/** `data` is JSON text. */
type EventText = Omit<FeedEnvelope, 'msg_type' | 'seq' | 'data'> & { readonly data: string };

export function envelopeOf(event: EventText): Envelope {
  const { source, event_type, operator_id, brand_id, player_id, instance_id } = event;
  const head = { msg_type: 'Event', source, event_type, operator_id, brand_id, player_id, instance_id };
  return {
    before: `${writeJson(head).slice(0, -1)},"seq":`,
    after: `,"timestamp":${event.timestamp},"data":${event.data}}`,
  };
}

/** The text frame of one event. */
export function frameOf({ before, after }: Envelope, sequence: number): Buffer {
  return Buffer.from(`${before}${sequence}${after}`, 'utf8');
}

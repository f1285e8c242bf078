import type { FeedEnvelope } from '../../contracts/feeds/feed.ts';
import type { JackpotEventType } from '../../contracts/feeds/feed-events.ts';
import { brandOf, operatorOf } from '../../contracts/fields/identifiers.ts';
import { writeJson } from '../../lib/json.ts';
import type { LaneEvent } from '../../messages/events.ts';
import type { KnownInstance } from '../lane-view.ts';
import type { Viewer } from './viewer.ts';

/** An event as text, but for its `seq`: that is the socket's own for private and foreign events. */
export interface Envelope {
  readonly before: string;
  readonly after: string;
}

/** `data` is JSON text. */
type EventText = Omit<FeedEnvelope, 'msg_type' | 'seq' | 'data' | 'event_type'> & {
  readonly event_type: FeedEnvelope['event_type'] | 'MustDropEvent';
  readonly data: string;
};

export function envelopeOf(event: EventText): Envelope {
  const { source, event_type, operator_id, brand_id, player_id, instance_id } = event;
  const head = { msg_type: 'Event', source, event_type, operator_id, brand_id, player_id, instance_id };
  return {
    before: `${writeJson(head).slice(0, -1)},"seq":`,
    after: `,"timestamp":${event.timestamp},"data":${event.data}}`,
  };
}

/** An event of a jackpot. */
export function jackpotEnvelope(
  type: FeedEnvelope['event_type'] | 'MustDropEvent',
  instance: string,
  { owner, player = null, data }: Omit<EventContent, 'data'> & { readonly data: string },
  timestamp: number,
): Envelope {
  return envelopeOf({
    source: 'jackpot',
    event_type: type,
    operator_id: operatorOf(owner),
    brand_id: brandOf(owner) === null ? null : owner,
    player_id: player,
    instance_id: instance,
    timestamp,
    data,
  });
}

/** The text frame of one event. */
export function frameOf({ before, after }: Envelope, sequence: number): Buffer {
  return Buffer.from(`${before}${sequence}${after}`, 'utf8');
}

/** An event of a stored outcome record, on its way to the feeds. */
export interface FeedEvent extends Omit<MadeEvent, 'content' | 'publicData'> {
  /** Time of the outcome record. */
  readonly timestampMs: number;
  /** All who see it alike get the same bytes; null: nothing of it is public. */
  encode(known: KnownInstance, viewer: Viewer): Envelope | null;
}

type EventAudience =
  /** Everyone; these players see themselves by name. */
  | { readonly kind: 'everyone'; readonly named: readonly NamedPlayer[] }
  /** That player, and the services that may name the player. */
  | { readonly kind: 'player'; readonly brand: string; readonly player: string }
  /** The services that may name players of that brand. */
  | { readonly kind: 'services'; readonly brand: string };

interface NamedPlayer {
  readonly brand: string;
  readonly player: string;
}

/** What an event says to one viewer. */
interface EventContent {
  /** The operator or brand path that it names. */
  readonly owner: string;
  readonly player?: string | null;
  readonly data: unknown;
}

interface MadeEvent {
  readonly type: JackpotEventType;
  readonly instance: string;
  /** The instance's event counter; null for a private event, whose `seq` is the socket's. */
  readonly counter: number | null;
  /** Who may have it, of those who may see the instance. */
  readonly audience: EventAudience;
  content(known: KnownInstance, viewer: Viewer): EventContent;
  /** What a brand's public feed shows of it, null: nothing; absent: it is not public at all. */
  readonly publicData?: (viewer: Viewer, brand: string) => unknown;
  /** Only where wins are shown. */
  readonly isWin?: true;
}

/** Makes the feed event of one kind of lane event; null: it is not for feeds. */
export type FeedEventMaker<K extends LaneEvent['kind']> = (
  event: Extract<LaneEvent, { kind: K }>,
) => MadeEvent | null;

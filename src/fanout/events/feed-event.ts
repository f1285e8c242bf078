import type { JackpotEventType } from '../../contracts/feeds/feed-events.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import type { LaneEvent } from '../../messages/events.ts';
import type { Viewer } from '../scope/scope.ts';
import type { Envelope } from './envelope.ts';

/** An event of a stored outcome record, on its way to the feeds. */
export interface FeedEvent {
  readonly type: JackpotEventType;
  readonly instance: string;
  /** The instance's event counter; null for a private event, whose `seq` is the socket's. */
  readonly counter: number | null;
  /** Time of the outcome record. */
  readonly timestampMs: number;
  /** Who may have it, of those who may see the instance. */
  readonly audience: EventAudience;
  /** All who see it alike get the same bytes. */
  encode(known: KnownInstance, viewer: Viewer): Envelope;
}

export type EventAudience =
  /** Everyone; these players see themselves by name. */
  | { readonly kind: 'everyone'; readonly named: readonly NamedPlayer[] }
  /** That player, and the services that may name the player. */
  | { readonly kind: 'player'; readonly brand: string; readonly player: string }
  /** The services that may name players of that brand. */
  | { readonly kind: 'services'; readonly brand: string };

export interface NamedPlayer {
  readonly brand: string;
  readonly player: string;
}

/** Makes the feed event of one kind of lane event; null: it is not for feeds. */
export type FeedEventMaker<K extends LaneEvent['kind']> = (
  event: Extract<LaneEvent, { kind: K }>,
  timestampMs: number,
) => FeedEvent | null;

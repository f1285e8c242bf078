import type { LaneEvent } from '../../contracts/log/outcomes.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import type { JackpotEventType } from '../interest.ts';
import type { Scope } from '../scope.ts';

/** An event of a stored outcome record, on its way to the feeds. */
export interface FeedEvent {
  readonly type: JackpotEventType;
  readonly instance: string;
  /** The instance's event counter; null for a private event, whose `seq` is the socket's. */
  readonly counter: number | null;
  /** Time of the outcome record. */
  readonly timestampMs: number;
  /** The frame for the connections of a scope; they all get the same bytes. `privateSequence` numbers a private one. */
  encode(known: KnownInstance, scope: Scope, privateSequence: number): Buffer;
  /** Whether the scope may see it at all, beside seeing the instance. */
  visibleTo(scope: Scope): boolean;
}

/** Makes the feed event of one kind of lane event. */
export type FeedEventMaker<K extends LaneEvent['kind']> = (
  event: Extract<LaneEvent, { kind: K }>,
  timestampMs: number,
) => FeedEvent;

import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { Contributed } from '../../messages/outcomes.ts';
import type { Refusal } from '../../messages/refusals.ts';
import type { FlushRecord } from '../../messages/settlements.ts';

/** One request to a receiver. Everything that its body says is in here: a try needs nothing else. */
export interface Delivery {
  /** The event's id, a UUID: every try has the same one, also after a restart or a replay. */
  readonly id: string;
  readonly lane: number;
  /** The outcome record that caused it. */
  readonly sequence: number;
  /** The brand path of a contribution, the owner of a flushed instance: whose secret signs. */
  readonly owner: string;
  readonly url: string;
  /** The lane's time of the event. */
  readonly createdMs: number;
  readonly content: DeliveryContent;
}

export type DeliveryContent = CallbackContent | FlushContent | EventContent;

/** The result of a contribution with a callback. */
export interface CallbackContent {
  readonly kind: 'ContributionResult';
  readonly gameround: string;
  readonly currency: string;
  /** JSON text. */
  readonly metadata: string | null;
  readonly result: Contributed | Refusal;
}

/** A diversion pool on its way to its external account. */
interface FlushContent {
  readonly kind: 'DiversionFlush';
  readonly flush: FlushRecord;
}

/** An event for an address that has subscribed to it. */
interface EventContent {
  readonly kind: 'Event';
  /** Id of the subscription. */
  readonly subscription: string;
  readonly type: string;
  readonly instance: string;
  /** Place among the events of its record. */
  readonly index: number;
  /** The whole body: JSON text. */
  readonly body: string;
}

/** What the records of a lane bring. */
export interface RecordDeliveries {
  readonly deliveries: readonly Delivery[];
  /** Deliveries whose content the log has lost. */
  readonly lost: number;
}

/** The id of the subscription that an event is for; empty: it is none. */
export function subscriptionOf({ content }: Pick<Delivery, 'content'>): string {
  return content.kind === 'Event' ? content.subscription : '';
}

/** Deliveries of a line arrive in order: the events of an instance for a subscription. null: of no line. */
export function lineOf({ content }: Pick<Delivery, 'content'>): string | null {
  return content.kind === 'Event' ? `${content.subscription} ${content.instance}` : null;
}

/** Who receives it: one operator's requests never wait for another's to the same host. */
export interface Receiver {
  readonly operator: string;
  readonly origin: string;
}

/** The receiver of a delivery. */
export function receiverOf({ owner, url }: Pick<Delivery, 'owner' | 'url'>): Receiver {
  return { operator: operatorOf(owner), origin: new URL(url).origin };
}

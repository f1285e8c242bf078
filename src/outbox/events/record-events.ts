import { subscribedEventId } from '../../contracts/payments/event-id.ts';
import type { Envelope, FeedEvent } from '../../directory/events/feed-event.ts';
import { feedEventOf } from '../../directory/events/index.ts';
import type { ServiceView } from '../../directory/events/viewer.ts';
import { type KnownInstance, LaneView } from '../../directory/lane-view.ts';
import type { OutcomeRecord } from '../../messages/outcomes.ts';
import type { InstanceDescription } from '../../messages/records.ts';
import type { Delivery, RecordDeliveries } from '../delivery/delivery.ts';
import { eventBody, subscriberView } from './event-body.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

interface RecordEventsPorts {
  readonly lane: number;
  readonly subscriptions: Pick<Subscriptions, 'all'>;
  /** An instance as it is once a message is applied, or later; null: the lane does not know it. */
  readonly describe: (instance: string, sequence: number) => Promise<InstanceDescription | null>;
}

/** The events of a lane's records, for those who have subscribed to them. */
export class RecordEvents {
  readonly #ports: RecordEventsPorts;
  /** Instances that had an event. */
  readonly #view = new LaneView();

  constructor(ports: RecordEventsPorts) {
    this.#ports = ports;
  }

  /** A replay also has events from before the subscription. */
  async deliveriesOf(record: OutcomeRecord, isReplay = false): Promise<RecordDeliveries> {
    const { sequence, timestampMs, events } = record;
    for (const event of events)
      if (event.kind === 'InstanceChanged' && this.#view.instances.get(event.instance.instance) !== undefined)
        this.#view.describe(this.#ports.lane, sequence, event.instance);
    const deliveries: Delivery[] = [];
    for (const [index, event] of events.entries()) {
      const feedEvent = feedEventOf(event, timestampMs);
      if (feedEvent === null) continue;
      const wanted = [...this.#ports.subscriptions.all()].filter(
        ({ eventTypes, createdMs }) =>
          eventTypes.has(feedEvent.type) && (isReplay || createdMs <= timestampMs),
      );
      if (wanted.length === 0) continue;
      const known = await this.#known(feedEvent.instance, sequence);
      if (known === null) continue;
      for (const subscription of wanted) {
        const view = subscriberView(subscription);
        const envelope = isFor(view, known, feedEvent) ? feedEvent.encode(known, view) : null;
        if (envelope === null) continue;
        deliveries.push(this.#delivery(subscription, feedEvent, { envelope, sequence, index }));
      }
    }
    return { deliveries, lost: 0 };
  }

  async #known(instance: string, sequence: number): Promise<KnownInstance | null> {
    const known = this.#view.instances.get(instance);
    if (known !== undefined) return known;
    const description = await this.#ports.describe(instance, sequence);
    if (description === null) return null;
    this.#view.describe(this.#ports.lane, sequence, description);
    return this.#view.instances.get(instance) ?? null;
  }

  #delivery(
    { id: subscription, owner, url }: Subscription,
    event: FeedEvent,
    { envelope, sequence, index }: { envelope: Envelope; sequence: number; index: number },
  ): Delivery {
    const { lane } = this.#ports;
    const { type, instance, timestampMs, counter: seq } = event;
    const id = subscribedEventId(subscription, { lane, sequence, index });
    const body = eventBody({ id, subscription, envelope, seq });
    return {
      id,
      lane,
      sequence,
      owner,
      url,
      createdMs: timestampMs,
      content: { kind: 'Event', subscription, type, instance, index, body },
    };
  }
}

function isFor(view: ServiceView, known: KnownInstance, { audience }: FeedEvent): boolean {
  return view.sees(known) && (audience.kind === 'everyone' || view.showsPlayer(audience.brand, ''));
}

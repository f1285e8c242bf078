import type { Log } from '../../ports.ts';
import type { Backlogs } from '../backlog/backlogs.ts';
import type { DeliveriesOf } from '../backlog/walk.ts';
import { type Delivery, receiverOf } from '../delivery/delivery.ts';
import { firstAt } from '../replay/run-replay.ts';
import { persistently } from '../store/persistently.ts';
import type { LaneFlushes } from '../stored/flushes.ts';
import type { StoredDeliveries } from '../stored/stored-deliveries.ts';
import type { InOrder } from './in-order.ts';
import { MustDropWatch } from './must-drop.ts';
import { RecordEvents } from './record-events.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

interface LaneSubscriptionsPorts {
  readonly lane: number;
  readonly log: Pick<Log, 'lastOutcome' | 'readOutcomes'>;
  readonly guard: Parameters<typeof persistently>[0];
  readonly subscriptions: Subscriptions;
  readonly stored: Pick<StoredDeliveries, 'forget'>;
  readonly backlogs: Pick<Backlogs, 'begin' | 'known' | 'resolve'>;
  /** The first record that has not come yet. */
  readonly next: () => number;
}

/** The subscriptions as a lane has met them: new ones miss nothing, and removed ones leave nothing. */
class LaneSubscriptions {
  readonly #ports: LaneSubscriptionsPorts;
  #met = new Set<string>();

  constructor(ports: LaneSubscriptionsPorts) {
    this.#ports = ports;
  }

  /** The first record that a subscription may have events of. */
  first(): Promise<number> {
    const created = [...this.#ports.subscriptions.all()].map(({ createdMs }) => createdMs);
    return this.#firstAt(Math.min(...created));
  }

  /**
   * The events of a removed subscription are forgotten. One that is newer than `sinceMs` may have missed
   * some: a backlog has them again.
   */
  async changed(sinceMs: number): Promise<void> {
    const { subscriptions, stored, backlogs } = this.#ports;
    const isGone = (id: string) => subscriptions.get(id) === undefined;
    const newOnes = [...subscriptions.all()].filter(({ id }) => !this.#met.has(id));
    this.#met = new Set([...subscriptions.all()].map(({ id }) => id));
    for (const each of newOnes) if (each.createdMs >= sinceMs) await this.#catchUp(each);
    await stored.forget(isGone);
    for (const { id, subscription } of [...backlogs.known()])
      if (subscription !== undefined && isGone(subscription)) await backlogs.resolve(id);
  }

  async #catchUp({ id, owner, url, createdMs }: Subscription): Promise<void> {
    const sequence = await this.#firstAt(createdMs);
    const to = this.#ports.next() - 1;
    const receiver = receiverOf({ owner, url });
    if (sequence <= to)
      await this.#ports.backlogs.begin({ receiver, subscription: id, sequence, createdMs, to });
  }

  async #firstAt(fromMs: number): Promise<number> {
    const { lane, log, guard } = this.#ports;
    const last = await persistently(guard, () => log.lastOutcome(lane));
    return firstAt({ lane, log, guard }, { fromMs, last });
  }
}

/** What a run that delivers events has. */
export interface LaneEvents {
  readonly inOrder: InOrder;
  readonly subscriptions: LaneSubscriptions;
  readonly mustDrop: MustDropWatch;
}

export function laneEvents(
  inOrder: InOrder,
  flushes: Pick<LaneFlushes, 'describe'>,
  ports: LaneSubscriptionsPorts,
): LaneEvents {
  const { lane, guard, subscriptions } = ports;
  const describe = (instance: string) => flushes.describe(instance, 0);
  const send = (delivery: Delivery) => inOrder.besideRecords(delivery);
  return {
    inOrder,
    subscriptions: new LaneSubscriptions(ports),
    mustDrop: new MustDropWatch({ lane, clock: guard.clock, subscriptions, describe, send }),
  };
}

/** Events go to the address that their subscription has now; null: it was removed. */
export function addressedNow(delivery: Delivery, subscriptions: Pick<Subscriptions, 'get'>): Delivery | null {
  const { content } = delivery;
  const url = content.kind === 'Event' ? subscriptions.get(content.subscription)?.url : delivery.url;
  return url === undefined ? null : { ...delivery, url };
}

/** The events of a lane's records, whose instances are asked of the lane. */
export function eventsOf(
  lane: number,
  subscriptions: Subscriptions,
  flushes: Pick<LaneFlushes, 'describe'>,
): DeliveriesOf {
  const describe = (instance: string, sequence: number) => flushes.describe(instance, sequence);
  const events = new RecordEvents({ lane, subscriptions, describe });
  return (record, isReplay) => events.deliveriesOf(record, isReplay);
}

import { amountOf } from '../../contracts/configuration/kinds.ts';
import { warningEventId } from '../../contracts/payments/event-id.ts';
import { jackpotEnvelope } from '../../directory/events/feed-event.ts';
import { KnownInstance } from '../../directory/lane-view.ts';
import { crash } from '../../lib/crash.ts';
import { writeJson } from '../../lib/json.ts';
import { items, members } from '../../lib/unknown-json.ts';
import type { ReceivedTick } from '../../messages/bus-messages.ts';
import type { InstanceDescription, LiveValuesNews, PotLiveValues } from '../../messages/records.ts';
import type { Clock } from '../../ports.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { eventBody, subscriberView } from './event-body.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

interface MustDropPorts {
  readonly lane: number;
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly subscriptions: Pick<Subscriptions, 'all'>;
  /** An instance as it is now; null: the lane does not know it. */
  readonly describe: (instance: string) => Promise<InstanceDescription | null>;
  /** False: it can be neither sent nor stored now. */
  readonly send: (delivery: Delivery) => Promise<boolean>;
}

/** A Threshold of a pot (docs/rules/triggers.md "Threshold"). */
interface Threshold {
  readonly pot: string;
  readonly maxAtoms: bigint;
}

/** A pot near its maximum. */
interface Near {
  readonly threshold: Threshold;
  readonly pot: PotLiveValues;
}

const mustDropEvent = 'MustDropEvent';
/** The places of a record's own events are before it. */
const indexBehindRecord = 2 ** 31;

/**
 * Tells when a pot has nine tenths of its Threshold's maximum, once in each of its cycles. The log has no
 * such event: it is made of live values, until it is delivered or stored.
 */
export class MustDropWatch {
  readonly #ports: MustDropPorts;
  readonly #thresholds = new Map<string, { readonly of: readonly Threshold[]; readonly readMs: number }>();
  /** Subscription, instance and pot → the cycle that it was told of. */
  readonly #told = new Map<string, number>();
  #isWorking = false;

  constructor(ports: MustDropPorts) {
    this.#ports = ports;
  }

  get isWanted(): boolean {
    return this.#wanted().length > 0;
  }

  /** Works on one tick at a time: values are absolute, and those of later ticks say the same again. */
  async take({ appliedSequence, allLiveValues }: ReceivedTick): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      for (const news of allLiveValues) if (news.status === 'Active') await this.#look(news, appliedSequence);
    } finally {
      this.#isWorking = false;
    }
  }

  async #look(news: LiveValuesNews, sequence: number): Promise<void> {
    const { instance } = news;
    const known = this.#thresholds.get(instance);
    const isOld = known === undefined || this.#nowMs - known.readMs > outboxLimits.thresholdsForMs;
    const thresholds = isOld ? thresholdsOf(await this.#described(instance)) : known.of;
    if (thresholds.length === 0) return;
    const near = nearOnes(thresholds, news);
    const untold = this.#wanted().filter((each) => near.some((pot) => !this.#wasTold(each, instance, pot)));
    if (untold.length === 0) return;
    // Parameters may have changed since the thresholds were read.
    const description = await this.#described(instance);
    if (description === null) return;
    const values = news.values();
    const current = new KnownInstance(this.#ports.lane, sequence, description, values);
    for (const pot of nearOnes(thresholdsOf(description), news))
      for (const subscription of untold)
        if (subscriberView(subscription).sees(current) && !this.#wasTold(subscription, instance, pot))
          this.#tell(subscription, current, pot);
  }

  async #described(instance: string): Promise<InstanceDescription | null> {
    const description = await this.#ports.describe(instance);
    this.#thresholds.set(instance, { of: thresholdsOf(description), readMs: this.#nowMs });
    return description;
  }

  /** Waits for no receiver. What cannot leave is told again with later values. */
  #tell(subscription: Subscription, known: KnownInstance, near: Near): void {
    const key = toldKey(subscription, known.description.instance, near);
    this.#told.set(key, near.pot.instanceCount);
    this.#ports
      .send(this.#delivery(subscription, known, near))
      .then((isDone) => isDone || this.#told.delete(key))
      .catch(crash);
  }

  #wasTold(subscription: Subscription, instance: string, near: Near): boolean {
    return this.#told.get(toldKey(subscription, instance, near)) === near.pot.instanceCount;
  }

  #delivery(
    { id: subscription, owner, url }: Subscription,
    { description, configuration, liveValues, liveValuesSequence: sequence }: KnownInstance,
    { pot: { pot, instanceCount, currentAtoms }, threshold: { maxAtoms } }: Near,
  ): Delivery {
    const { lane } = this.#ports;
    const { instance } = description;
    const timestampMs = liveValues.lastUpdatedMs;
    const data = {
      instance_id: instance,
      pot_id: pot,
      instance_count: instanceCount,
      currency: configuration.currency,
      current_value: currentAtoms,
      max_value: maxAtoms,
    };
    const content = { owner: description.owner, data: writeJson(data) };
    const envelope = jackpotEnvelope(mustDropEvent, instance, content, timestampMs);
    const id = warningEventId(subscription, instance, pot, instanceCount);
    const body = eventBody({ id, subscription, envelope, seq: null });
    return {
      id,
      lane,
      sequence,
      owner,
      url,
      createdMs: timestampMs,
      content: { kind: 'Event', subscription, type: mustDropEvent, instance, index: indexBehindRecord, body },
    };
  }

  #wanted(): readonly Subscription[] {
    return [...this.#ports.subscriptions.all()].filter(({ eventTypes }) => eventTypes.has(mustDropEvent));
  }

  get #nowMs(): number {
    return this.#ports.clock.elapsedMs();
  }
}

function nearOnes(thresholds: readonly Threshold[], news: LiveValuesNews): readonly Near[] {
  const { pots } = news.values();
  return thresholds.flatMap((threshold) => {
    const pot = pots.find((each) => each.pot === threshold.pot);
    return pot?.enabled === true && isNear(threshold, pot) ? [{ threshold, pot }] : [];
  });
}

function isNear({ maxAtoms }: Threshold, { currentAtoms }: PotLiveValues): boolean {
  return 10n * currentAtoms >= 9n * maxAtoms;
}

function toldKey({ id }: Subscription, instance: string, { threshold: { pot } }: Near): string {
  return `${id} ${instance} ${pot}`;
}

/** The lowest maximum of each pot is the one that it drops at. */
function thresholdsOf(description: InstanceDescription | null): readonly Threshold[] {
  return items(members(description?.configuration).pots).flatMap((document) => {
    const { id, pot_types } = members(document);
    const thresholds = items(pot_types).flatMap((type): Threshold[] => {
      const { Threshold } = members(type);
      if (Threshold === undefined || typeof id !== 'string') return [];
      return [{ pot: id, maxAtoms: amountOf(members(Threshold).max_value) }];
    });
    return thresholds.toSorted((one, other) => (one.maxAtoms < other.maxAtoms ? -1 : 1)).slice(0, 1);
  });
}

import { amountOf } from '../../contracts/configuration/kinds.ts';
import { warningEventId } from '../../contracts/payments/event-id.ts';
import { jackpotEnvelope } from '../../directory/events/feed-event.ts';
import { KnownInstance } from '../../directory/lane-view.ts';
import { crash } from '../../lib/crash.ts';
import { writeJson } from '../../lib/json.ts';
import { items, members } from '../../lib/unknown-json.ts';
import { tickSubject } from '../../log/base/names.ts';
import type { ReceivedTick } from '../../messages/bus-messages.ts';
import { decodeLaneTick } from '../../messages/codec/codec.ts';
import type { InstanceDescription, LiveValuesNews, PotLiveValues } from '../../messages/records.ts';
import { type Bus, type Clock, LogError } from '../../ports.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { Stopped } from '../store/persistently.ts';
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
  /** Subscription, instance and pot → the cycle that was announced. */
  readonly #announced = new Map<string, number>();
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
    const unannounced = this.#wanted().filter((each) =>
      near.some((pot) => !this.#wasAnnounced(each, instance, pot)),
    );
    if (unannounced.length === 0) return;
    // Parameters may have changed since the thresholds were read.
    const description = await this.#described(instance);
    if (description === null) return;
    const values = news.values();
    const current = new KnownInstance(this.#ports.lane, sequence, description, values);
    for (const pot of nearOnes(thresholdsOf(description), news))
      for (const subscription of unannounced)
        if (subscriberView(subscription).sees(current) && !this.#wasAnnounced(subscription, instance, pot))
          this.#announce(subscription, current, pot);
  }

  async #described(instance: string): Promise<InstanceDescription | null> {
    const description = await this.#ports.describe(instance);
    this.#thresholds.set(instance, { of: thresholdsOf(description), readMs: this.#nowMs });
    return description;
  }

  /** Waits for no receiver. What cannot leave is told again with later values. */
  #announce(subscription: Subscription, known: KnownInstance, near: Near): void {
    const key = announcedKey(subscription, known.description.instance, near);
    this.#announced.set(key, near.pot.instanceCount);
    this.#ports
      .send(this.#delivery(subscription, known, near))
      .then((isDone) => isDone || this.#announced.delete(key))
      .catch(ignoreStopped);
  }

  #wasAnnounced(subscription: Subscription, instance: string, near: Near): boolean {
    return this.#announced.get(announcedKey(subscription, instance, near)) === near.pot.instanceCount;
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

/** Gives a lane's live values to the watch until it is stopped. */
export function followLiveValues(
  lane: number,
  watch: MustDropWatch,
  {
    bus,
    report,
  }: { readonly bus: Pick<Bus, 'subscribe'>; readonly report: (message: string, error: unknown) => void },
): { stop(): void } {
  return bus.subscribe(tickSubject(lane), ({ bytes }) => {
    if (!watch.isWanted) return;
    try {
      watch.take(decodeLaneTick(bytes)).catch(ignoreStopped);
    } catch (error) {
      // Ticks are absolute and repeat: a broken one is passed over.
      if (!(error instanceof LogError)) throw error;
      report(`A tick of lane ${lane} cannot be read.`, error);
    }
  });
}

/** The lane was given up: another process does it. */
function ignoreStopped(error: unknown): void {
  if (!(error instanceof Stopped)) crash(error);
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

function announcedKey({ id }: Subscription, instance: string, { threshold: { pot } }: Near): string {
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

import { type LaneClaims, startLaneClaims } from '../../log/lanes/lane-claims.ts';
import type { AddressCheck } from '../../outbound/checked-addresses.ts';
import type { Bus, Clock, Random, Table } from '../../ports.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import { LaneOutbox, type LaneOutboxPorts } from '../lane/lane-outbox.ts';
import { serveDeliveryQuestions } from '../questions/answer.ts';
import { Sender } from '../send/sender.ts';
import type { KnownDelivery } from '../stored/stored-deliveries.ts';
import type { DeliveryAlarm } from '../watch/alarm-codes.ts';
import { type DeliveryLimits, DeliveryWatch } from '../watch/delivery-watch.ts';
import { createOutboxMetrics } from '../watch/metrics.ts';
import { DeliveryTries } from './delivery-tries.ts';

interface OutboxPorts {
  readonly log: LaneOutboxPorts['log'];
  readonly bus: Pick<Bus, 'connected' | 'request' | 'subscribe' | 'publish'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly tables: { readonly deliveries: Table; readonly leases: Table };
  /** How names of receivers are resolved and which addresses may be called. */
  readonly addresses: AddressCheck;
  readonly secretFor: (owner: string) => string | null;
  readonly isRegistered: (operator: string, origin: string) => boolean;
  readonly subscriptions: Subscriptions;
  /** What a person has to know: an outage that is none, or a bug. */
  readonly report: (message: string, error: unknown) => void;
  readonly alarm: (code: DeliveryAlarm, message: string) => void;
}

export interface OutboxRole {
  /** null when deliveries leave; otherwise one word why not. */
  unready(): string | null;
  metrics(): Promise<string>;
  /** Stored deliveries of the lanes that this process holds. */
  known(): readonly KnownDelivery[];
  stop(): Promise<void>;
}

interface OutboxOptions {
  readonly holder: string;
  readonly lanes: number;
  readonly limits: DeliveryLimits;
}

/** Delivers callbacks of the lanes that this process holds. `holder` is the same after a restart. */
export function startOutbox(ports: OutboxPorts, { holder, lanes, limits }: OutboxOptions): OutboxRole {
  const { log, clock, random, tables, addresses, secretFor, isRegistered, report, bus } = ports;
  const byLane = new Map<number, LaneOutbox>();
  const answering = new Map<number, { stop(): void }>();
  const ending = new Set<Promise<void>>();
  const metrics = createOutboxMetrics({
    tally: () => watch.tally,
    lags: () => watch.lags,
    inFlight: () => sender.inFlight,
    nowMs: () => clock.nowMs(),
  });
  const alarm = (code: DeliveryAlarm, message: string): void => {
    metrics.alarm(code);
    ports.alarm(code, message);
  };
  const watch: DeliveryWatch = new DeliveryWatch({ clock, log, lanes: () => byLane, alarm }, limits);
  const tries = new DeliveryTries({ bus, clock, random, dropped: metrics.triesDropped });
  const sender: Sender = new Sender({
    clock,
    addresses,
    secretFor,
    isRegistered,
    observe: metrics.observe,
    tried: (delivery, result, tookMs) => tries.add(delivery, result, tookMs),
  });

  function gained(lane: number): void {
    const made = new LaneOutbox(lane, {
      log,
      bus,
      table: tables.deliveries,
      clock,
      random,
      sender,
      subscriptions: ports.subscriptions,
      report,
      lost(callbacks) {
        metrics.lost(callbacks);
        alarm('deliveries_lost', `The log has lost ${callbacks} callbacks of lane ${lane}.`);
      },
    });
    byLane.set(lane, made);
    answering.set(
      lane,
      serveDeliveryQuestions(lane, bus, (question) => made.answer(question), report),
    );
  }

  function lost(lane: number): void {
    const outbox = byLane.get(lane);
    if (outbox === undefined) return;
    byLane.delete(lane);
    answering.get(lane)?.stop();
    answering.delete(lane);
    const ended = outbox.stop().catch((error: unknown) => report(`Lane ${lane} was given up.`, error));
    ending.add(ended);
    ended.finally(() => ending.delete(ended)).catch(() => {});
  }

  const claims: LaneClaims = startLaneClaims({
    table: tables.leases,
    role: 'outbox',
    holder,
    clock,
    lanes,
    gained,
    lost,
    report: (error) => report('The leases of lanes met a bug.', error),
  });
  watch.start();
  return {
    unready: () => (bus.connected() ? null : 'nats_disconnected'),
    metrics: () => metrics.registry.metrics(),
    known: () => [...known(byLane.values())],
    async stop() {
      watch.stop();
      for (const each of answering.values()) each.stop();
      await Promise.all([...byLane.values()].map((outbox) => outbox.stop()));
      await claims.stop();
      await Promise.all(ending);
      await sender.stop();
      tries.stop();
    },
  };
}

function* known(lanes: Iterable<LaneOutbox>): Iterable<KnownDelivery> {
  for (const lane of lanes) yield* lane.known();
}

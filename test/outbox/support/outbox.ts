import { randomBytes } from 'node:crypto';
import { connectBus, connectLog } from '../../../src/log/jetstream/connect.ts';
import type { AddressCheck } from '../../../src/outbound/checked-addresses.ts';
import { KnownSubscriptions, type Subscriptions } from '../../../src/outbox/events/subscriptions.ts';
import { LaneOutbox } from '../../../src/outbox/lane/lane-outbox.ts';
import { type OutboxRole, startOutbox } from '../../../src/outbox/role/outbox.ts';
import { Sender } from '../../../src/outbox/send/sender.ts';
import type { KnownDelivery } from '../../../src/outbox/stored/stored-deliveries.ts';
import type { DeliveryLimits } from '../../../src/outbox/watch/delivery-watch.ts';
import type { Bus, Clock, Log } from '../../../src/ports.ts';
import { systemClock } from '../../../src/wiring.ts';
import { ends } from '../../support/ends.ts';
import type { TestNatsServer } from '../../support/nats-server.ts';
import type { ManualClock } from './manual-clock.ts';

export interface TestOutboxOptions {
  readonly lanes?: number;
  readonly holder?: string;
  readonly clock?: Clock;
  readonly secret?: string | null;
  readonly limits?: DeliveryLimits;
  readonly subscriptions?: Subscriptions;
  /** Origins that operators have registered. */
  readonly origins: () => readonly string[];
}

const noLimits: DeliveryLimits = {
  pendingAgeMs: Number.MAX_SAFE_INTEGER,
  deadAgeMs: Number.MAX_SAFE_INTEGER,
  perOperator: Number.MAX_SAFE_INTEGER,
  sumsAtoms: new Map(),
};

export interface TestOutbox extends OutboxRole {
  readonly reports: readonly string[];
  readonly alarms: readonly string[];
  /** As a killed process leaves it: nothing more is written, no lease is given back. */
  kill(): Promise<void>;
}

const developmentAddresses: AddressCheck = {
  development: true,
  resolve: (name) => Promise.reject(new Error(`${name} is nowhere.`)),
};

/** The log as everybody, with lanes made. */
export async function openLog(server: TestNatsServer, lanes = 1): Promise<{ log: Log; bus: Bus }> {
  const settings = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  const [log, bus] = [await connectLog(settings), await connectBus(settings)];
  await log.prepare(lanes);
  return { log, bus };
}

async function connectAsOutbox(server: TestNatsServer): Promise<[Log, Bus]> {
  const reach = {
    servers: [server.url],
    credentials: { kind: 'password', user: 'outbox', password: 'outbox' },
    replicas: 1,
    role: 'outbox',
  } as const;
  return [await connectLog(reach), await connectBus(reach)];
}

/** The role, as its own user at nats-server. */
export async function startTestOutbox(
  server: TestNatsServer,
  options: TestOutboxOptions,
): Promise<TestOutbox> {
  const {
    lanes = 1,
    holder = 'test',
    clock = systemClock,
    secret = null,
    limits = noLimits,
    origins,
  } = options;
  const [log, bus] = await connectAsOutbox(server);
  const [deliveries, leases] = [await log.table('DELIVERIES'), await log.table('LEASES')];
  const reports: string[] = [];
  const alarms: string[] = [];
  const outbox = startOutbox(
    {
      log,
      bus,
      clock,
      random: { bytes: (count) => randomBytes(count) },
      tables: { deliveries, leases },
      addresses: developmentAddresses,
      secretFor: () => secret,
      isRegistered: (_, origin) => origins().includes(origin),
      subscriptions: options.subscriptions ?? new KnownSubscriptions(),
      report: (message, error) => void reports.push(`${message} ${error ?? ''}`),
      alarm: (code) => void alarms.push(code),
    },
    { holder, lanes, limits },
  );
  const close = async () => void (await Promise.all([log.close(), bus.close()]));
  return {
    ...outbox,
    reports,
    alarms,
    kill: close,
    async stop() {
      await ends('the outbox', outbox.stop());
      await ends('its connections', close());
    },
  };
}

export interface TestLaneOutbox {
  known(): readonly KnownDelivery[];
  readonly reports: readonly string[];
  stop(): Promise<void>;
}

/** The deliveries of one lane without its lease: time may jump. */
export async function startTestLane(
  server: TestNatsServer,
  { clock, origins = () => [] }: { readonly clock: ManualClock; readonly origins?: () => readonly string[] },
): Promise<TestLaneOutbox> {
  const [log, bus] = await connectAsOutbox(server);
  const reports: string[] = [];
  const report = (message: string, error: unknown) => void reports.push(`${message} ${error ?? ''}`);
  const sender = new Sender({
    clock,
    addresses: developmentAddresses,
    secretFor: () => null,
    isRegistered: (_, origin) => origins().includes(origin),
    observe() {},
  });
  clock.isBusy = () => sender.inFlight > 0;
  const random = { bytes: (count: number) => randomBytes(count) };
  const table = await log.table('DELIVERIES');
  const subscriptions = new KnownSubscriptions();
  const ports = { log, bus, table, clock, random, sender, subscriptions, report, lost() {} };
  const lane = new LaneOutbox(0, ports);
  return {
    known: () => [...lane.known()],
    reports,
    async stop() {
      await ends('the lane', lane.stop());
      await ends('the sender', sender.stop());
      await ends('its connections', Promise.all([log.close(), bus.close()]));
    },
  };
}

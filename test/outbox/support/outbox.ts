import { randomBytes } from 'node:crypto';
import { connectBus, connectLog } from '../../../src/log/connect.ts';
import { type OutboxRole, startOutbox } from '../../../src/outbox/outbox.ts';
import type { Bus, Clock, Log } from '../../../src/ports.ts';
import { systemClock } from '../../../src/wiring.ts';
import type { TestNatsServer } from '../../support/nats-server.ts';

export interface TestOutboxOptions {
  readonly lanes?: number;
  readonly holder?: string;
  readonly clock?: Clock;
  readonly secret?: string | null;
  /** Origins that operators have registered. */
  readonly origins: () => readonly string[];
}

export interface TestOutbox extends OutboxRole {
  readonly reports: readonly string[];
  /** As a killed process leaves it: nothing more is written, no lease is given back. */
  kill(): Promise<void>;
}

/** The log as everybody, with lanes made. */
export async function openLog(server: TestNatsServer, lanes = 1): Promise<{ log: Log; bus: Bus }> {
  const settings = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  const [log, bus] = [await connectLog(settings), await connectBus(settings)];
  await log.prepare(lanes);
  return { log, bus };
}

/** The role, as its own user at nats-server. */
export async function startTestOutbox(
  server: TestNatsServer,
  options: TestOutboxOptions,
): Promise<TestOutbox> {
  const { lanes = 1, holder = 'test', clock = systemClock, secret = null, origins } = options;
  const reach = {
    servers: [server.url],
    credentials: { kind: 'password', user: 'outbox', password: 'outbox' },
    replicas: 1,
    role: 'outbox',
  } as const;
  const [log, bus] = [await connectLog(reach), await connectBus(reach)];
  const [deliveries, leases] = [await log.table('DELIVERIES'), await log.table('LEASES')];
  const reports: string[] = [];
  const outbox = startOutbox(
    {
      log,
      bus,
      clock,
      random: { bytes: (count) => randomBytes(count) },
      tables: { deliveries, leases },
      addresses: {
        development: true,
        resolve: (name) => Promise.reject(new Error(`${name} is nowhere.`)),
      },
      secretFor: () => secret,
      isRegistered: (_, origin) => origins().includes(origin),
      report: (message, error) => void reports.push(`${message} ${error ?? ''}`),
    },
    { holder, lanes },
  );
  const close = async () => void (await Promise.all([log.close(), bus.close()]));
  return {
    ...outbox,
    reports,
    kill: close,
    async stop() {
      await outbox.stop();
      await close();
    },
  };
}

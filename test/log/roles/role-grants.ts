import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { witnessedTables } from '../../../src/actors/witness/table-witness.ts';
import {
  booksSubject,
  callbackTriesSubject,
  feedPlayersSubject,
  feedSubject,
  heartbeatSubject,
  loginsSubject,
  presenceSubject,
  querySubject,
  replySubject,
  simulationsSubject,
  storageSubject,
  ticketsSubject,
  tickSubject,
  walletAddressSubject,
  walletAuthenticateSubject,
  walletRevokedSubject,
  walletTriesSubject,
} from '../../../src/log/base/names.ts';
import type { ArchiveRoom } from '../../../src/log/jetstream/archive-room.ts';
import type { StreamInspector } from '../../../src/log/jetstream/stream-inspector.ts';
import type { NatsRole } from '../../../src/log/roles/permissions.ts';
import { foundSystem } from '../../../src/log/system/system-lanes.ts';
import {
  type AuditLog,
  archiveNames,
  type Bus,
  type LaneTrimmer,
  type Log,
  type OutcomeRouting,
  type StreamReader,
  type TableName,
} from '../../../src/ports.ts';
import { systemRandom } from '../../../src/wiring.ts';

/** What each role does with the log and the bus while a system runs, through the adapters that it runs on. */
export interface RoleAtWork {
  readonly log: Log;
  readonly bus: Bus;
  readonly audit: AuditLog;
  readonly trimmer: LaneTrimmer;
  readonly room: ArchiveRoom;
  readonly inspector: StreamInspector;
  readonly sides: { readonly audit: StreamReader; readonly tries: StreamReader };
}

const lane = 1;
const routing: OutcomeRouting = { wallet: false, hooks: false, events: true };
const bytes = (text = 'x'): Uint8Array => Buffer.from(text);
const patienceMs = 60_000;

export const grants: Readonly<Record<NatsRole, (role: RoleAtWork) => Promise<void>>> = {
  async storage({ log, bus, trimmer, room }) {
    await foundSystem(log, 2, systemRandom);
    await log.prepare(2);
    await log.prepare(2);
    await claimsLanes(log, 'storage');
    bus.subscribe(storageSubject, (question) => question.respond(bytes('answer')));
    await trimmer.widen(lane, 0);
    await trimmer.keepAged(lane, true);
    await trimmer.keepAged(lane, false);
    await log.fill(lane);
    await checks(log);
    await watches(log, 'ARCHIVE');
    for (const name of archiveNames) {
      await (await log.archive(name)).list();
      await room.free(name, Number.POSITIVE_INFINITY);
    }
  },

  async actors({ log, bus, inspector, audit }) {
    await log.prepare(2);
    await readsAudit(audit);
    await (await log.table('PLACEMENT')).get('system.id');
    await asks(bus, storageSubject);
    if ((await inspector.differences()).size > 0) throw new Error('the streams are not what they should be');
    for (const channel of ['own', 'control'] as const)
      await log.append(lane, channel, bytes(), { messageId: id(), timeoutMs: patienceMs });
    await log.append(lane, 'own', bytes(), {
      messageId: id(),
      expectedLastOnSubject: await log.lastOwn(lane),
      timeoutMs: patienceMs,
    });
    await followsCommands(log);
    await log.appendOutcome(lane, (await log.lastOutcome(lane)) + 1, routing, bytes());
    // One that is stored in parts: everybody who reads outcomes reads it.
    await log.appendOutcome(lane, (await log.lastOutcome(lane)) + 1, routing, randomBytes(300_000));
    await log.readOutcome(lane, await log.lastOutcome(lane));
    await followsOutcomes(log, {});
    await log.fill(lane);
    await checks(log);
    for (const table of ['DIRECTORY', 'PLACEMENT', 'HOSTS'] as const) await watches(log, table);
    await (await log.table('HOSTS')).put(`host-${id()}`, bytes(), 0);
    await claimsLanes(log, 'actors');
    bus.subscribe(heartbeatSubject(lane), () => {});
    for (const name of ['SNAPSHOTS', 'EPOCHS', 'SEGMENTS'] as const) {
      const archive = await log.archive(name);
      await archive.put('1/a', randomBytes(300_000));
      await archive.put('1/a', randomBytes(10));
      await archive.get('1/a');
      await archive.has('1/a');
      await archive.list();
      await archive.remove('1/a');
      await archive.put('1/kept', randomBytes(10));
    }
    const segments = await log.table('ARCHIVE');
    await segments.put(`${lane}.${id()}`, bytes(), 0);
    await watches(log, 'ARCHIVE');
    bus.publish(replySubject('g1'), bytes());
    bus.publish(tickSubject(lane), bytes());
    bus.publish(heartbeatSubject(lane), bytes());
    bus.subscribe(querySubject(lane), (question) => question.respond(bytes('answer')));
    const presence = presenceSubject('host.life');
    const isGone = async (): Promise<boolean> => !(await bus.hasListener(presence, patienceMs));
    if (!(await isGone())) throw new Error('nats-server does not say that nobody listens');
    bus.subscribe(presence, () => {});
  },

  async gateway({ log, bus, audit }) {
    await writesAudit(audit);
    await watches(log, 'APPROVALS');
    bus.subscribe(replySubject('g1'), () => {});
    bus.subscribe(heartbeatSubject(lane), () => {});
    bus.subscribe(walletRevokedSubject, () => {});
    bus.subscribe(loginsSubject, () => {});
    bus.publish(loginsSubject, bytes());
    bus.subscribe(ticketsSubject, (question) => question.respond(bytes('answer')), { queue: 'gateways' });
    await log.append(lane, 'batch', bytes(), { messageId: id(), timeoutMs: patienceMs });
    await readsLane(log);
    await log.readCommand(lane, await log.lastCommand(lane));
    await (await log.table('PLACEMENT')).get('system.lanes');
    await (await log.archive('EPOCHS')).get('1/kept');
    await readsArchivedLog(log);
    await watches(log, 'DIRECTORY');
    await watches(log, 'ACCOUNTS');
    for (const name of ['DIRECTORY', 'ACCOUNTS', 'NONCES', 'APPROVALS', 'TICKETS', 'FORGOTTEN'] as const) {
      const table = await log.table(name);
      const key = `key.${id()}`;
      const revision = await table.put(key, bytes(), 0);
      await table.get(key);
      await table.remove(key, revision ?? 0);
    }
    await asks(bus, querySubject(lane));
    await asks(bus, walletAuthenticateSubject);
    await asks(bus, walletAddressSubject);
    await asks(bus, booksSubject);
    await asks(bus, simulationsSubject());
    await asks(bus, simulationsSubject('one'));
    bus.publish(feedSubject('acme'), bytes());
    await readModelFeed({ log, bus });
  },

  async fanout({ log, bus }) {
    for (const subject of ['feed.*', 'heartbeat.*', walletRevokedSubject, feedPlayersSubject])
      bus.subscribe(subject, () => {});
    bus.publish(feedPlayersSubject, bytes());
    await readsLane(log);
    await (await log.table('PLACEMENT')).get('system.lanes');
    await watches(log, 'ACCOUNTS');
    await asks(bus, querySubject(lane));
    await asks(bus, walletAuthenticateSubject);
    await asks(bus, ticketsSubject);
    await readModelFeed({ log, bus });
  },

  async wallet({ log, bus }) {
    bus.publish(walletTriesSubject, bytes());
    bus.subscribe(walletAddressSubject, (question) => question.respond(bytes('answer')), { queue: 'wallet' });
    bus.subscribe(walletAuthenticateSubject, (question) => question.respond(bytes('answer')), {
      queue: 'wallet',
    });
    bus.publish(walletRevokedSubject, bytes());
    await watches(log, 'ACCOUNTS');
    await readsLane(log);
    await claimsLanes(log, 'wallet');
    await settles(log);
    await asks(bus, querySubject(lane));
    await followsOutcomes(log, { wallet: true });
  },

  async outbox({ log, bus }) {
    bus.publish(callbackTriesSubject, bytes());
    bus.subscribe(tickSubject(lane), () => {});
    await watches(log, 'ACCOUNTS');
    await watches(log, 'DIRECTORY');
    await watches(log, 'DELIVERIES');
    await readsArchivedLog(log);
    const deliveries = await log.table('DELIVERIES');
    const key = `key.${id()}`;
    const revision = await deliveries.put(key, bytes(), 0);
    await deliveries.get(key);
    await deliveries.remove(key, revision ?? 0);
    await readsLane(log);
    await log.readCommand(lane, await log.lastCommand(lane));
    await claimsLanes(log, 'outbox');
    await settles(log);
    await asks(bus, querySubject(lane));
    await followsOutcomes(log, { hooks: true });
    await followsOutcomes(log, { events: true });
  },

  async reporting({ log, bus, sides }) {
    await watches(log, 'FORGOTTEN');
    for (const stream of [sides.audit, sides.tries]) {
      await stream.extent();
      await stream.readFrom(1);
    }
    bus.subscribe(booksSubject, (question) => question.respond(bytes('answer')), { queue: 'reporting' });
    for (const process of [undefined, 'one'])
      bus.subscribe(simulationsSubject(process), (question) => question.respond(bytes('answer')));
    await (await log.table('PLACEMENT')).get('system.id');
    await readsLane(log);
    await log.readCommand(lane, await log.lastCommand(lane));
    await log.extents(lane);
    await log.readCommands(lane, 1);
    await log.readOutcomes(lane, 1);
    await readsArchivedLog(log);
    await (await log.archive('SNAPSHOTS')).get('1/kept');
    await claimsLanes(log, 'reporting');
  },

  async start({ log, audit }) {
    await writesAudit(audit);
    await (await log.table('PLACEMENT')).get('system.lanes');
    const accounts = await log.table('ACCOUNTS');
    await accounts.put(`bootstrap.${id()}`, bytes(), 0);
    await accounts.keys();
    await log.lastCommand(lane);
  },

  async doctor({ log, bus }) {
    bus.subscribe(heartbeatSubject(lane), () => {});
    await log.lastCommand(lane);
    await log.fill(lane);
    await (await log.table('PLACEMENT')).get('system.id');
    await checks(log);
    await log.readOutcome(lane, await log.lastOutcome(lane));
    await followsCommands(log);
    const archive = await log.archive('SNAPSHOTS');
    await archive.list();
    await archive.get('1/kept');
    await readsArchivedLog(log);
  },

  async audit({ log, audit }) {
    await readsAudit(audit);
    await (await log.table('PLACEMENT')).get('system.id');
  },

  async lane({ log, bus, audit }) {
    await writesAudit(audit);
    bus.subscribe('heartbeat.*', () => {});
    await (await log.table('PLACEMENT')).get('system.lanes');
    await log.readCommand(lane, await log.lastCommand(lane));
    await log.readOutcome(lane, await log.lastOutcome(lane));
    await log.nextCommand(lane, 'quarantine', 1);
    await (await log.table('PLACEMENT')).put(`drain.${id()}`, bytes(), 0);
    await (await log.table('HOSTS')).keys();
    await log.append(lane, 'quarantine', bytes(), { messageId: id(), timeoutMs: patienceMs });
    await followsCommands(log);
  },
  async reconcile({ log }) {
    await (await log.table('PLACEMENT')).get('system.lanes');
    await watches(log, 'ACCOUNTS');
    await log.extents(lane);
    await log.readCommand(lane, 1);
    await log.readCommands(lane, 1);
    await log.readOutcomes(lane, 1);
    await readsArchivedLog(log);
  },
  async replay({ log }) {
    await (await log.table('PLACEMENT')).get('system.lanes');
    await log.extents(lane);
    await log.readCommands(lane, 1);
    await log.readCommand(lane, 1);
    await log.nextCommand(lane, 'quarantine', 1);
    await log.readOutcomes(lane, 1);
    await log.readOutcome(lane, await log.lastOutcome(lane));
    const archive = await log.archive('SNAPSHOTS');
    await archive.list();
    await archive.get('1/kept');
    await readsArchivedLog(log);
  },
};

/** The log is compared with what was seen of it before. */
async function checks(log: Log): Promise<void> {
  await log.extents(lane);
  await log.readCommands(lane, 1);
  await log.readOutcomes(lane, 1);
  for (const table of witnessedTables) await log.tableExtent(table);
}

async function writesAudit(audit: AuditLog): Promise<void> {
  await audit.append(bytes('entry'), (await audit.extent()).lastSequence);
  await readsAudit(audit);
}

async function readsAudit(audit: AuditLog): Promise<void> {
  await audit.read((await audit.extent()).lastSequence);
  await audit.readFrom(1);
}

/** What the streams have dropped. */
async function readsArchivedLog(log: Log): Promise<void> {
  await watches(log, 'ARCHIVE');
  await (await log.archive('SEGMENTS')).get('1/kept');
}

async function claimsLanes(
  log: Log,
  role: 'storage' | 'actors' | 'wallet' | 'outbox' | 'reporting',
): Promise<void> {
  await (await log.table('PLACEMENT')).get('system.lanes');
  const leases = await log.table('LEASES');
  const key = `${role}.${id()}`;
  const revision = await leases.put(key, bytes(), 0);
  await leases.get(key);
  await leases.remove(key, revision ?? 0);
}

async function settles(log: Log): Promise<void> {
  await log.append(lane, 'settlement', bytes(), { messageId: id(), timeoutMs: patienceMs });
}

async function readsLane(log: Log): Promise<void> {
  await log.lastCommand(lane);
  await log.readOutcome(lane, await log.lastOutcome(lane));
}

async function readModelFeed({ log, bus }: Pick<RoleAtWork, 'log' | 'bus'>): Promise<void> {
  bus.subscribe(tickSubject(lane), () => {});
  await watches(log, 'DIRECTORY');
  await followsOutcomes(log, { events: true });
  await followsOutcomes(log, {});
}

function followsCommands(log: Log): Promise<void> {
  return reached((caughtUp) => log.follow(lane, 1, { message: () => {}, caughtUp }));
}

function followsOutcomes(log: Log, filter: Partial<OutcomeRouting>): Promise<void> {
  return reached((caughtUp) => log.followOutcomes(lane, 1, filter, { message: () => {}, caughtUp }));
}

async function reached(follow: (caughtUp: () => void) => { stop(): Promise<void> }): Promise<void> {
  let follower: { stop(): Promise<void> } | undefined;
  await within(
    new Promise<void>((resolve) => {
      follower = follow(resolve);
    }),
    'the end of a stream',
  );
  await follower?.stop();
}

async function watches(log: Log, name: TableName): Promise<void> {
  const table = await log.table(name);
  let watch: { stop(): Promise<void> } | undefined;
  await within(
    new Promise<void>((resolve, reject) => {
      table.watch({ entry: () => {}, current: resolve }).then((started) => {
        watch = started;
      }, reject);
    }),
    `all of ${name}`,
  );
  await watch?.stop();
}

async function asks(bus: Bus, subject: string): Promise<void> {
  const answer = await answered(bus, subject);
  if (Buffer.from(answer).toString() !== 'answer') throw new Error(`${subject} was answered otherwise`);
}

/** Servers of a cluster learn from each other who listens: whoever asks another one than that asks again. */
async function answered(bus: Bus, subject: string): Promise<Uint8Array> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await bus.request(subject, bytes(), patienceMs);
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
    }
    await delay(50);
  }
}

function within<T>(work: Promise<T>, what: string): Promise<T> {
  return Promise.race([
    work,
    new Promise<T>((_, reject) => {
      setTimeout(() => reject(new Error(`${what} did not come`)), patienceMs).unref();
    }),
  ]);
}

function id(): string {
  return randomBytes(8).toString('hex');
}

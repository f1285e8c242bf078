import type { AuditLog, Bus, LaneTrimmer, Log, Table, TableName } from '../ports.ts';
import { type LogConnection, openConnection } from './jetstream/connection.ts';
import { ensureStream } from './jetstream/ensure-stream.ts';
import { JetStreamAudit } from './jetstream/jetstream-audit.ts';
import { JetStreamLog, type LogConnections } from './jetstream/jetstream-log.ts';
import { JetStreamTrimmer } from './jetstream/lane-trimmer.ts';
import { NatsBus } from './jetstream/nats-bus.ts';
import { Requester } from './jetstream/requester.ts';
import { auditStreamOf } from './jetstream/stream-configurations.ts';
import type { LogSettings } from './settings.ts';

/**
 * Connects to the log, with separate connections for commands, outcomes and tables.
 * @throws LogError `unavailable` if no server answers within 20 s, `misconfigured` if it refuses the credentials
 */
export async function connectLog(settings: LogSettings): Promise<Log> {
  return new JetStreamLog(settings, await openConnections(settings));
}

/**
 * For the owner of lanes: the reply and the outcome record of a message leave in one write.
 * @throws LogError like connectLog
 */
export async function connectOwner(settings: LogSettings): Promise<{ readonly log: Log; readonly bus: Bus }> {
  const connections = await openConnections(settings);
  return { log: new JetStreamLog(settings, connections), bus: new NatsBus(connections.outcomes) };
}

/** The log on one connection, for readers of much data that must not delay others. @throws LogError like connectLog */
export async function connectReader(settings: LogSettings): Promise<Log> {
  const reading = await openConnection(settings, 'reader');
  return new JetStreamLog(settings, allOver(reading));
}

/** The same for one that reads slowly beside lanes: what comes at once takes a millisecond to read. */
export async function connectSlowReader(settings: LogSettings): Promise<Log> {
  const reading = await openConnection(settings, 'check');
  return new JetStreamLog(settings, allOver(reading), slowBatch);
}

/** For the archiver of lanes: it reads much and trims, and must not delay others. @throws LogError like connectLog */
export async function connectArchiver(
  settings: LogSettings,
): Promise<{ readonly log: Log; readonly trimmer: LaneTrimmer }> {
  const connection = await openConnection(settings, 'archive');
  const log = new JetStreamLog(settings, allOver(connection));
  return { log, trimmer: new JetStreamTrimmer(connection) };
}

/** Connects to core NATS. @throws LogError like connectLog */
export async function connectBus(settings: LogSettings): Promise<Bus> {
  return new NatsBus(await openConnection(settings, 'bus'));
}

/** The stream of the audit trail, on a connection that nothing else uses. @throws LogError like connectLog */
export async function connectAudit(settings: LogSettings): Promise<AuditLog> {
  return new JetStreamAudit(await openConnection(settings, 'audit'), settings.replicas);
}

/** As connectAudit; creates the stream if it is missing, for the command that comes before every role. */
export async function createAudit(settings: LogSettings): Promise<AuditLog> {
  const connection = await openConnection(settings, 'audit');
  try {
    await ensureStream(new Requester(connection), auditStreamOf(settings).configuration);
    return new JetStreamAudit(connection, settings.replicas);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function allOver(connection: LogConnection): LogConnections {
  return { commands: connection, outcomes: connection, tables: connection };
}

/** Messages of a few contributions, or one of many. */
const slowBatch = { messages: 16, bytes: 64 * 1024 };

async function openConnections(settings: LogSettings): Promise<LogConnections> {
  const [commands, outcomes, tables] = await Promise.all([
    openConnection(settings, 'commands'),
    openConnection(settings, 'outcomes'),
    openConnection(settings, 'tables'),
  ]);
  return { commands, outcomes, tables };
}

/**
 * One table with its own connections, for a process that needs nothing else of the log.
 * @throws LogError like connectLog
 */
export async function openTable(
  settings: LogSettings,
  name: TableName,
): Promise<{ readonly table: Table; close(): Promise<void> }> {
  const log = await connectLog(settings);
  try {
    return { table: await log.table(name), close: () => log.close() };
  } catch (error) {
    await log.close();
    throw error;
  }
}

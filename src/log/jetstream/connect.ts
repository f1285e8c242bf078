import type { AuditLog, Bus, LaneTrimmer, Log, StreamReader, Table, TableName } from '../../ports.ts';
import { auditStream, triesStream } from '../base/names.ts';
import type { LogSettings } from '../roles/settings.ts';
import { ArchiveRoom } from './archive-room.ts';
import { type LogConnection, openConnection } from './connection.ts';
import { JetStreamAudit, JetStreamReader } from './jetstream-audit.ts';
import { JetStreamLog, type LogConnections } from './jetstream-log.ts';
import { JetStreamTrimmer } from './lane-trimmer.ts';
import { NatsBus } from './nats-bus.ts';
import { Requester } from './requester.ts';
import { StreamInspector } from './stream-inspector.ts';

/**
 * Connects to the log, with separate connections for commands, outcomes and tables.
 * @throws LogError `unavailable` if no server answers within 20 s, `misconfigured` if it refuses the
 * credentials
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

/** The log on one connection, for readers of much data. @throws LogError like connectLog */
export async function connectReader(settings: LogSettings): Promise<Log> {
  const reading = await openConnection(settings, 'reader');
  return new JetStreamLog(settings, allOver(reading));
}

/** The same for one that reads slowly beside lanes: what comes at once takes a millisecond to read. */
export async function connectSlowReader(settings: LogSettings): Promise<Log> {
  const reading = await openConnection(settings, 'check');
  return new JetStreamLog(settings, allOver(reading), slowBatch);
}

/** For the archiver of lanes: it reads much, and must not delay others. @throws LogError like connectLog */
export async function connectArchiver(settings: LogSettings): Promise<Log> {
  return new JetStreamLog(settings, allOver(await openConnection(settings, 'archive')));
}

/** What `storage` works with. */
export interface StorageAccess {
  readonly log: Log;
  readonly bus: Bus;
  readonly trimmer: LaneTrimmer;
  readonly room: ArchiveRoom;
}

/** For `storage`, which makes and trims streams and frees archives. @throws LogError like connectLog */
export async function connectStorage(settings: LogSettings): Promise<StorageAccess> {
  const connection = await openConnection(settings, 'storage');
  return {
    log: new JetStreamLog(settings, allOver(connection)),
    bus: new NatsBus(connection),
    trimmer: new JetStreamTrimmer(new Requester(connection), settings.replicas),
    room: new ArchiveRoom(new Requester(connection)),
  };
}

/** Looks at the configuration of every stream of `lanes` lanes. @throws LogError like connectLog */
export async function connectInspector(settings: LogSettings, lanes: number): Promise<StreamInspector> {
  return new StreamInspector(await openConnection(settings, 'inspector'), settings, lanes);
}

/** Connects to core NATS. @throws LogError like connectLog */
export async function connectBus(settings: LogSettings): Promise<Bus> {
  return new NatsBus(await openConnection(settings, 'bus'));
}

/** The stream of the audit trail, on a connection that nothing else uses. @throws LogError like connectLog */
export async function connectAudit(settings: LogSettings): Promise<AuditLog> {
  return new JetStreamAudit(await openConnection(settings, 'audit'), settings.replicas);
}

/** What the books need beside the lanes. */
interface SideStreams {
  readonly audit: StreamReader;
  readonly tries: StreamReader;
  close(): Promise<void>;
}

/** The audit trail and the stream of tries, only to be read. @throws LogError like connectLog */
export async function connectSideStreams(settings: LogSettings): Promise<SideStreams> {
  const connection = await openConnection(settings, 'side streams');
  const requester = new Requester(connection);
  return {
    audit: new JetStreamReader(requester, auditStream),
    tries: new JetStreamReader(requester, triesStream),
    close: () => connection.close(),
  };
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

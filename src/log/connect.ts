import type { Bus, Log, Table, TableName } from '../ports.ts';
import { openConnection } from './jetstream/connection.ts';
import { JetStreamLog, type LogConnections } from './jetstream/jetstream-log.ts';
import { NatsBus } from './jetstream/nats-bus.ts';
import type { LogSettings } from './settings.ts';

/** @throws LogError `unavailable` where no server answers within 20 s, `misconfigured` where it lets nobody in. */
export async function connectLog(settings: LogSettings): Promise<Log> {
  return new JetStreamLog(settings, await openConnections(settings));
}

/**
 * For who owns lanes: what leaves for one message, its answer and its outcome record, leaves in one write.
 * @throws LogError as connectLog does.
 */
export async function connectOwner(settings: LogSettings): Promise<{ readonly log: Log; readonly bus: Bus }> {
  const connections = await openConnections(settings);
  return { log: new JetStreamLog(settings, connections), bus: new NatsBus(connections.outcomes) };
}

/**
 * For who reads much and is in no hurry: one connection of its own, so that what is asked elsewhere does not wait.
 * @throws LogError as connectLog does.
 */
export async function connectReader(settings: LogSettings): Promise<Log> {
  const reading = await openConnection(settings, 'check');
  return new JetStreamLog(settings, { commands: reading, outcomes: reading, tables: reading });
}

/** @throws LogError as connectLog does. */
export async function connectBus(settings: LogSettings): Promise<Bus> {
  return new NatsBus(await openConnection(settings, 'bus'));
}

async function openConnections(settings: LogSettings): Promise<LogConnections> {
  const [commands, outcomes, tables] = await Promise.all([
    openConnection(settings, 'commands'),
    openConnection(settings, 'outcomes'),
    openConnection(settings, 'tables'),
  ]);
  return { commands, outcomes, tables };
}

/** One table on a connection of its own, for who needs nothing else of the log. */
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

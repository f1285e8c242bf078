import type { Settings } from '../../config/settings.ts';
import { connectReader } from '../../log/jetstream/connect.ts';
import type { NatsRole } from '../../log/roles/permissions.ts';
import { readSystemLanes } from '../../log/system/system-lanes.ts';
import { type Log, LogError } from '../../ports.ts';
import { logSettings, withArchive } from '../../wiring.ts';
import { ofRunningSystem } from './nats-access.ts';

interface LogReading {
  readonly settings: Settings;
  /** The user whose credentials the settings have. */
  readonly user: NatsRole;
  /** What the user is told that cannot be read. */
  readonly noun: string;
  readonly print: (line: string) => void;
  /** The archive is in front of the streams. */
  readonly archived: boolean;
}

/**
 * Works on the log of the system of the settings, else of the one that `up` runs on their data. null: it
 * cannot be read, and the user knows why.
 */
export async function withLogReader<T>(
  { settings, user, noun, print, archived }: LogReading,
  work: (log: Log, lanes: number) => Promise<T>,
): Promise<T | null> {
  try {
    const reader = await connectReader(logSettings(ofRunningSystem(settings, user), user));
    const log = archived ? withArchive(reader, settings) : reader;
    try {
      return await work(log, (await readSystemLanes(await log.table('PLACEMENT'))) ?? settings.lanes);
    } finally {
      await log.close();
    }
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    print(`The ${noun} cannot be read: ${error.message}`);
    return null;
  }
}

/** Whether the system has the lane; the user is told if it does not. */
export function hasLane(lane: number, lanes: number, print: (line: string) => void): boolean {
  if (lane < lanes) return true;
  print(`There is no lane ${lane}: the system has ${lanes}, from 0.`);
  return false;
}

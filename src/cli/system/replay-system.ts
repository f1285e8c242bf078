import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditPorts } from '../../actors/audit/kept-snapshots.ts';
import { readDrawKeys } from '../../actors/epochs/keys/draw-keys.ts';
import { createHashing } from '../../actors/epochs/keys/hashing.ts';
import { logRetentionOf } from '../../actors/ports/actor-ports.ts';
import { openSnapshotFiles } from '../../actors/recovery/snapshots/files.ts';
import { engineSettings, enginesOf } from '../../actors/replica/engines.ts';
import type { Settings } from '../../config/settings.ts';
import type { NatsRole } from '../../log/roles/permissions.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { withLogReader } from './log-reader.ts';
import { patientLog } from './patient-log.ts';

/** A system whose lanes a command replays: its log, only read; its snapshots; the engine. */
export interface ReplaySystem extends AuditPorts {
  readonly lanes: number;
}

/**
 * The system of the settings, else the one that `up` runs on their data; `user` is the one whose credentials
 * the settings have. null: it cannot be read, and the user knows why.
 */
export async function withReplaySystem<T>(
  settings: Settings,
  user: NatsRole,
  print: (line: string) => void,
  work: (system: ReplaySystem) => Promise<T>,
): Promise<T | null> {
  const keys = readDrawKeys({
    drawKeys: settings.drawKeysDirectory,
    keys: dataPaths(settings.dataDirectory).keys,
  });
  if (keys === null) {
    print(
      `There are no draw keys in ${settings.drawKeysDirectory}, and a replay draws: run it on an actor host, or set POTSTREAM_DRAW_KEYS.`,
    );
    return null;
  }
  const reading = { settings, user, noun: 'log', print, archived: true };
  return withLogReader(reading, async (log, lanes) => {
    const hashing = createHashing(keys);
    const engines = enginesOf(hashing, engineSettings(settings));
    const maxAgeMs = logRetentionOf(settings);
    const stores = storesOf(settings.hostDirectory);
    return work({ log: patientLog(log), lanes, maxAgeMs, hashing, engines, stores });
  });
}

/** The snapshots of all hosts that `up` runs on the directory. */
function storesOf(hostDirectory: string): AuditPorts['stores'] {
  const hosts = join(hostDirectory, 'hosts');
  const others = existsSync(hosts) ? readdirSync(hosts).map((each) => join(hosts, each)) : [];
  return [hostDirectory, ...others].map((directory) => {
    const place = join(directory, 'snapshots');
    return { place, store: openSnapshotFiles(place) };
  });
}

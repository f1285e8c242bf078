import { join } from 'node:path';
import { environmentOf, readSettings, type Settings } from '../../config/settings.ts';
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { isAlive } from '../../runtime/process-identity.ts';
import { lockHolder } from '../../supervisor/lock.ts';

/** Commands reach nats-server by `nats.json`, and make no keys. */
const notRecorded = /^POTSTREAM_(NATS_(?!SERVER$)|NEW_KEYS$)/;

/** Writes `<data>/run/settings.json`: what `up` runs, as variables of the environment. */
export function recordSettings(runDirectory: string, settings: Settings): void {
  const variables = Object.entries(environmentOf(settings)).filter(([name]) => !notRecorded.test(name));
  writeJsonFile(pathOf(runDirectory), Object.fromEntries(variables));
}

/**
 * The settings of a command: the environment's and, where it does not name one, that of the `potstream up`
 * that runs on the data. Without one the environment's alone.
 */
export function systemSettings(environment?: Readonly<Record<string, string | undefined>>): Settings {
  const settings = readSettings(environment);
  if (!upRuns(settings)) return settings;
  const recorded = readJsonFile(pathOf(dataPaths(settings.dataDirectory).run)) as Record<
    string,
    string
  > | null;
  return readSettings(environment, recorded ?? {});
}

/** Whether a `potstream up` runs on the data of these settings. */
export function upRuns(settings: Pick<Settings, 'dataDirectory'>): boolean {
  const holder = lockHolder(dataPaths(settings.dataDirectory).run);
  return holder !== null && isAlive(holder);
}

function pathOf(runDirectory: string): string {
  return join(runDirectory, 'settings.json');
}

import type { Settings } from '../../config.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { readNatsAccess, withNatsAccess } from '../up/nats-access.ts';

/** Settings that reach the accounts of the system of this data directory, if it runs, else those given. */
export function reachable(settings: Settings): Settings {
  const access = readNatsAccess(dataPaths(settings.dataDirectory).run);
  if (settings.natsCredentials !== null || access === null) return settings;
  return withNatsAccess(settings, access, 'start');
}

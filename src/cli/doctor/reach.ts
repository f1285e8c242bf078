import type { Settings } from '../../config/settings.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { readNatsAccess, withNatsAccess } from '../system/nats-access.ts';
import { upRuns } from '../system/settings.ts';

export type Reach = { readonly settings: Settings; readonly monitorUrl: string };

/** The nats-server of the settings, else of the `up` that runs on the data; null: neither. */
export function reachOf(settings: Settings): Reach | null {
  const [monitorUrl] = settings.natsMonitorUrl?.split(',') ?? [];
  if (monitorUrl !== undefined) return { settings, monitorUrl };
  const access = upRuns(settings) ? readNatsAccess(dataPaths(settings.dataDirectory).run) : null;
  return access === null
    ? null
    : { settings: withNatsAccess(settings, access, 'doctor'), monitorUrl: access.monitorUrl };
}

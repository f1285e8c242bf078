import type { Settings } from '../../config/settings.ts';
import { ofRunningSystem } from './nats-access.ts';

/** Settings that reach the accounts of the system of this data directory, if it runs, else those given. */
export function reachable(settings: Settings): Settings {
  return ofRunningSystem(settings, 'start');
}

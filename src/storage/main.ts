import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { defaultArchiveLimits } from '../log/archive/limits.ts';
import { connectStorage } from '../log/jetstream/connect.ts';
import { foundSystem } from '../log/system/system-lanes.ts';
import { type Log, LogError } from '../ports.ts';
import { type RoleParts, type RunRole, startRole } from '../runtime/role.ts';
import { StartError } from '../runtime/start-error.ts';
import { logSettings, segmentIndex, systemClock, systemRandom } from '../wiring.ts';
import { createStorageMetrics } from './metrics.ts';
import type { StorageMonitor } from './ports.ts';
import { type RunningStorage, startStorage } from './storage.ts';

/** The role `storage`: it alone makes, changes and trims streams, tables and archives. */
export const run: RunRole = (settings) =>
  startRole('storage', settings, (_, logger) => assemble(settings, logger));

/**
 * Makes the streams, and then works. `ofProcess: false`: inside another process.
 * @throws StartError `lanes_changed` if the system has another number of lanes, or had one; LogError
 */
export async function assemble(
  settings: Settings,
  logger: Logger,
  { ofProcess = true }: { readonly ofProcess?: boolean } = {},
): Promise<RoleParts> {
  const { log, bus, trimmer, room } = await connectStorage(logSettings(settings, 'storage'));
  const index = segmentIndex(settings, log);
  let running: RunningStorage | null = null;
  const { monitor, text } = createStorageMetrics(
    { works: () => running?.works() ?? false, lanes: () => running?.lanes() ?? [] },
    logger,
    { ofProcess },
  );
  const close = async (): Promise<void> => {
    await index?.close();
    await Promise.all([log.close(), bus.close()]);
  };
  try {
    const leftAlone = await makeStreams(log, settings, monitor);
    const { archiveAfterMs, archiveKeepMs: keepMs, archiveMs } = settings;
    running = startStorage(
      {
        ...{ log, bus, trimmer, index, monitor, clock: systemClock },
        leases: await log.table('LEASES'),
        // One process of a data directory: the next one is its successor.
        holder: `${hostname()}:${settings.dataDirectory}`,
        free: (archive, beforeMs) => room.free(archive, beforeMs),
        report: (error) => logger.error({ err: error }, 'The role storage met a bug.'),
      },
      {
        ...{ lanes: settings.lanes, leftAlone },
        limits: { ...defaultArchiveLimits, archiveAfterMs, keepMs, archiveMs },
      },
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port: null,
    probes: { readyz: () => (bus.connected() ? null : 'nats_disconnected'), metrics: text },
    async stop() {
      await running?.stop();
      await close();
    },
  };
}

/** What is amiss with the streams of one lane stops that lane only. Gives such lanes. */
async function makeStreams(
  log: Log,
  { lanes }: Settings,
  monitor: StorageMonitor,
): Promise<ReadonlySet<number>> {
  try {
    await foundSystem(log, lanes, systemRandom);
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'misconfigured')) throw error;
    throw new StartError('lanes_changed', error.message);
  }
  await log.prepare(0);
  const amiss = new Set<number>();
  for (let lane = 0; lane < lanes; lane += 1) {
    try {
      await log.prepareLane(lane);
    } catch (error) {
      if (!(error instanceof LogError && error.code === 'misconfigured')) throw error;
      amiss.add(lane);
      monitor.alarm(lane, 'stream_misconfigured', error.message);
    }
  }
  return amiss;
}

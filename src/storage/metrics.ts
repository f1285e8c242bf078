import { ProcessMetrics } from '../lib/node-metrics.ts';
import type { StorageMonitor } from './ports.ts';
import type { StorageLane } from './storage.ts';

interface StorageLog {
  error(fields: { readonly lane: number; readonly code: string }, message: string): void;
}

/** The role's metrics, and the lines of its log; the sources are asked at each scrape. */
export function createStorageMetrics(
  sources: { readonly works: () => boolean; readonly lanes: () => readonly StorageLane[] },
  log: StorageLog,
  { ofProcess }: { readonly ofProcess: boolean },
): { readonly monitor: StorageMonitor; text(): Promise<string> } {
  const metrics = new ProcessMetrics(ofProcess);
  const alarms = metrics.counter(
    'potstream_storage_alarms_total',
    'Conditions that a person must look at, by the codes of a closed list.',
    ['lane', 'code'],
  );
  metrics.gauge(
    'potstream_storage_works',
    '1 at the process of the role that works, 0 at those that stand by.',
    (gauge) => gauge.set(Number(sources.works())),
  );
  metrics.gauge(
    'potstream_storage_checked_sequence',
    'Last message of a lane that was found in the archive as the streams had it, since this process works.',
    (gauge) => {
      gauge.reset();
      for (const { lane, checkedTo } of sources.lanes()) gauge.set({ lane }, checkedTo);
    },
    ['lane'],
  );
  return {
    monitor: {
      alarm(lane, code, message) {
        alarms.inc({ lane, code });
        log.error({ lane, code }, message);
      },
    },
    text: () => metrics.registry.metrics(),
  };
}

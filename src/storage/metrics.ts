import { Counter, Gauge, Registry } from 'prom-client';
import { collectNodeMetrics } from '../lib/node-metrics.ts';
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
  const registry = new Registry();
  const registers = [registry];
  if (ofProcess) collectNodeMetrics(registry);
  const alarms = new Counter({
    name: 'potstream_storage_alarms_total',
    help: 'Conditions that a person must look at, by the codes of a closed list.',
    labelNames: ['lane', 'code'],
    registers,
  });
  new Gauge({
    name: 'potstream_storage_works',
    help: '1 at the process of the role that works, 0 at those that stand by.',
    registers,
    collect() {
      this.set(Number(sources.works()));
    },
  });
  new Gauge({
    name: 'potstream_storage_checked_sequence',
    help: 'Last message of a lane that was found in the archive as the streams had it, since this process works.',
    labelNames: ['lane'],
    registers,
    collect() {
      this.reset();
      for (const { lane, checkedTo } of sources.lanes()) this.set({ lane }, checkedTo);
    },
  });
  return {
    monitor: {
      alarm(lane, code, message) {
        alarms.inc({ lane, code });
        log.error({ lane, code }, message);
      },
    },
    text: () => registry.metrics(),
  };
}

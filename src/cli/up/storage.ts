import type { Settings } from '../../config/settings.ts';
import { openRoleLog } from '../../runtime/role-log.ts';
import { assemble } from '../../storage/main.ts';
import type { LogFiles } from './log-files.ts';

/** The role `storage` within the process of `up`: no child gets its key. */
interface StorageOfTree {
  /** @throws StartError `lanes_changed` if the system on this data has another number of lanes; LogError */
  start(settings: Settings): Promise<void>;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

export function storageOfTree(logs: LogFiles): StorageOfTree {
  let parts: Awaited<ReturnType<typeof assemble>> | null = null;
  return {
    async start(settings) {
      const logger = logs.withFile('storage', () =>
        openRoleLog('storage', settings.logLevel, logs.pathOf('storage')),
      );
      parts = await assemble(settings, logger, { ofProcess: false });
    },
    metrics: async () => (await parts?.probes.metrics()) ?? '',
    stop: async () => parts?.stop(),
  };
}

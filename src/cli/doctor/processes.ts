import type { Settings } from '../../config/settings.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { isAlive } from '../../runtime/process-identity.ts';
import { readRunRecord } from '../../runtime/run-record.ts';
import { upRuns } from '../system/settings.ts';

/** The processes of the `up` that runs on the data, each with its id and where its probes and metrics are. */
export function examineProcesses(settings: Settings): string {
  if (!upRuns(settings)) return 'not checked: no "potstream up" runs';
  const record = readRunRecord(dataPaths(settings.dataDirectory).run);
  const running = (record?.children ?? []).filter(({ process }) => isAlive(process));
  return running
    .map(({ name, process, operationsPort = null }) =>
      operationsPort === null
        ? `${name} (${process.pid})`
        : `${name} (${process.pid}, 127.0.0.1:${operationsPort})`,
    )
    .join(', ');
}

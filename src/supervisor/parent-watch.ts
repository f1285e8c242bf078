import { signalProcess } from './process-identity.ts';
import { readRunRecord } from './run-record.ts';

const drainWithinMs = 2500;

/**
 * A role whose `up` was killed drains briefly and ends, all within 5 s, and sees to it that nats-server, which cannot
 * notice by itself everywhere, ends as well. Without a parent this does nothing.
 */
export function endWithParent(runDirectory: string, drain: () => Promise<void>): void {
  if (!process.connected) return;
  const parentPid = process.ppid;
  process.once('disconnect', () => {
    const timeIsUp = new Promise((resolve) => setTimeout(resolve, drainWithinMs));
    Promise.race([drain().catch(() => {}), timeIsUp]).then(() => {
      endNatsServerOf(parentPid, runDirectory);
      process.exit(0);
    });
  });
}

/** Only that of our own parent: another `up` may have taken over the data by now. */
function endNatsServerOf(parentPid: number, runDirectory: string): void {
  const record = readRunRecord(runDirectory);
  if (record?.parent.pid !== parentPid) return;
  const server = record.children.find((child) => child.name === 'nats-server');
  if (server !== undefined) signalProcess(server.process, 'SIGTERM');
}

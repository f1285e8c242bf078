import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, signalProcess } from './process-identity.ts';
import { readRunRecord } from './run-record.ts';

const drainWithinMs = 2500;

/**
 * If `up` is killed, even while the role still loads its modules, the role drains and ends within 5 s. It also ends nats-server,
 * which cannot notice this on every system. Without a parent this does nothing.
 */
export function endWithParent(runDirectory: string, drain: () => Promise<void>): void {
  if (process.send === undefined) return;
  const parentPid = process.ppid;
  const end = (): void => {
    const timeIsUp = sleep(drainWithinMs);
    const leave = (): never => {
      endNatsServerOf(parentPid, runDirectory);
      process.exit(0);
    };
    Promise.race([drain(), timeIsUp]).then(leave, leave);
  };
  if (process.connected) process.once('disconnect', end);
  else end();
}

/** Only that of our own parent, or of one that is gone: another `up` may have taken over the data by now. */
function endNatsServerOf(parentPid: number, runDirectory: string): void {
  const record = readRunRecord(runDirectory);
  if (record === null || (record.parent.pid !== parentPid && isAlive(record.parent))) return;
  const server = record.children.find((child) => child.name === 'nats-server');
  if (server !== undefined) signalProcess(server.process, 'SIGTERM');
}

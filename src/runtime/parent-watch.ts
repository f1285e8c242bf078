import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, signalProcess } from './process-identity.ts';
import { readRunRecord } from './run-record.ts';

const drainWithinMs = 2500;

/**
 * Ends this role within 5 s after `up` was killed: drains for at most 2.5 s, then also ends nats-server,
 * which may not notice. Works even if `up` died while the role loaded its modules. Without a parent it does
 * nothing.
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

/** Ends the nats-server of our parent or of a dead one: another `up` may own the data by now. */
function endNatsServerOf(parentPid: number, runDirectory: string): void {
  const record = readRunRecord(runDirectory);
  if (record === null || (record.parent.pid !== parentPid && isAlive(record.parent))) return;
  const server = record.children.find((child) => child.name === 'nats-server');
  if (server !== undefined) signalProcess(server.process, 'SIGTERM');
}

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJsonFile, writeJsonFile } from '../files/json-file.ts';
import { identifyProcess, isAlive, type ProcessIdentity, signalProcess } from './process-identity.ts';

/** `<data>/run/processes.json`: the children of an `up`, by which the next one finds those left behind. */
type RunRecord = {
  readonly parent: ProcessIdentity;
  readonly children: readonly {
    readonly name: string;
    readonly process: ProcessIdentity;
    /** The port of its probes on loopback; null: none yet. Absent in files of earlier versions. */
    readonly operationsPort?: number | null;
  }[];
};

const endByThemselvesWithinMs = 6000;
const terminateWithinMs = 5000;
const pollIntervalMs = 50;

/** Records this process and those of `processes` that run. */
export function writeRunRecord(
  runDirectory: string,
  processes: readonly {
    readonly name: string;
    readonly pid: number;
    readonly operationsPort?: number | null;
  }[],
): void {
  const parent = identifyProcess(process.pid);
  if (parent === null) return;
  const children = processes.flatMap(({ name, pid, operationsPort = null }) => {
    const identity = identifyProcess(pid);
    return identity === null ? [] : [{ name, process: identity, operationsPort }];
  });
  writeJsonFile(join(runDirectory, 'processes.json'), { parent, children } satisfies RunRecord);
}

/** The last record; null if there is no readable one. */
export function readRunRecord(runDirectory: string): RunRecord | null {
  const record = readJsonFile(join(runDirectory, 'processes.json')) as RunRecord | null;
  return record !== null && Array.isArray(record.children) ? record : null;
}

/**
 * Waits 6 s for the children that a killed `up` left, then sends SIGTERM and, after 5 s, SIGKILL. Returns how
 * many there were. Only for the holder of the lock.
 */
export async function endLeftovers(runDirectory: string): Promise<number> {
  const leftovers = (readRunRecord(runDirectory)?.children ?? []).map((child) => child.process);
  const alive = (): ProcessIdentity[] => leftovers.filter(isAlive);
  const count = alive().length;
  if (count === 0) return 0;
  await waitWhile(() => alive().length > 0, endByThemselvesWithinMs);
  for (const process of alive()) signalProcess(process, 'SIGTERM');
  await waitWhile(() => alive().length > 0, terminateWithinMs);
  for (const process of alive()) signalProcess(process, 'SIGKILL');
  await waitWhile(() => alive().length > 0, terminateWithinMs);
  return count;
}

async function waitWhile(condition: () => boolean, limitMs: number): Promise<void> {
  const deadlineMs = performance.now() + limitMs;
  while (condition() && performance.now() < deadlineMs) {
    await sleep(pollIntervalMs);
  }
}

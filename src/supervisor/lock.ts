import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../files/json-file.ts';
import { createSecretFile } from '../files/secret-file.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from '../runtime/process-identity.ts';
import { StartError } from '../runtime/start-error.ts';

const attempts = 5;

export type Lock = { release(): void };

/**
 * Makes this process the only `potstream up` of a data directory. A lock without a living holder is ignored.
 * @throws StartError `already_running`
 */
export function acquireLock(runDirectory: string): Lock {
  const path = join(runDirectory, 'up.lock');
  const mine = identifyProcess(process.pid) ?? { pid: process.pid, birth: 'unknown' };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (createSecretFile(path, JSON.stringify(mine))) return { release: () => releaseLock(path, mine) };
    const holder = lockHolder(runDirectory);
    if (holder !== null && isAlive(holder)) throw alreadyRunning(runDirectory, holder);
    rmSync(path, { force: true });
  }
  throw new StartError('already_running', `Another start is just taking ${path}. Try again.`);
}

/** The holder of the lock, alive or not; null: there is no lock. */
export function lockHolder(runDirectory: string): ProcessIdentity | null {
  const holder = readJsonFile(join(runDirectory, 'up.lock')) as Partial<ProcessIdentity> | null;
  if (typeof holder?.pid !== 'number' || typeof holder.birth !== 'string') return null;
  return { pid: holder.pid, birth: holder.birth };
}

function releaseLock(path: string, mine: ProcessIdentity): void {
  const holder = readJsonFile(path) as ProcessIdentity | null;
  if (holder?.pid === mine.pid && holder.birth === mine.birth) rmSync(path, { force: true });
}

function alreadyRunning(runDirectory: string, holder: ProcessIdentity): StartError {
  return new StartError(
    'already_running',
    `Potstream already runs on this data directory (process ${holder.pid}, lock ${join(runDirectory, 'up.lock')}). ` +
      'Stop it first, or give POTSTREAM_DATA another directory.',
  );
}

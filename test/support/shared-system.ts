import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { directories } from './leftovers.ts';
import { type RunningSystem, startSystem } from './system.ts';

/** Who shares a system cannot stop it. It ends with the worker's process. */
export type SharedSystem = Omit<RunningSystem, 'stop' | 'killAll'>;

let started: Promise<RunningSystem> | undefined;

/**
 * The demo without traffic, for the files of the project `one system`: they run in one process after another and start it once
 * (docs/decisions/0326). A file leaves it ready, and expects things of other files in it.
 */
export function sharedSystem(): Promise<SharedSystem> {
  if (started === undefined) {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'potstream-shared-'));
    directories.add(dataDirectory);
    started = startSystem({ args: ['--no-traffic'], dataDirectory });
  }
  return started;
}

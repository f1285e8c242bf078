import { closeSync, copyFileSync, mkdirSync, openSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';

const maxLogBytes = 64 * 1024 * 1024;
const checkIntervalMs = 30_000;

/** The output of children goes to files, which outlive `up`. It keeps them short. */
export type LogFiles = {
  pathOf(name: string): string;
  /**
   * Opens the file of a child about to start, and passes it to `use`, which starts the child. If it cannot be
   * opened, the child starts all the same and its output is lost.
   */
  withFile<Result>(name: string, use: (output: number | 'ignore') => Result): Result;
  stop(): void;
};

export function openLogFiles(directory: string): LogFiles {
  const names = new Set<string>();
  const pathOf = (name: string): string => join(directory, `${name}.log`);
  const timer = setInterval(() => {
    for (const name of names) shorten(pathOf(name));
  }, checkIntervalMs);
  timer.unref();
  return {
    pathOf,
    withFile(name, use) {
      names.add(name);
      const descriptor = openToAppend(pathOf(name));
      if (descriptor === null) return use('ignore');
      try {
        return use(descriptor);
      } finally {
        closeSync(descriptor);
      }
    },
    stop: () => clearInterval(timer),
  };
}

/** A person may have deleted the logs with their directory. */
function openToAppend(path: string): number | null {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'a', 0o600);
  } catch {
    return null;
  }
}

/** The writers append, so a file can be emptied below them; one earlier file is kept. */
function shorten(path: string): void {
  try {
    if (statSync(path).size < maxLogBytes) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path, 0);
  } catch {
    // A full disk shows elsewhere; a log is no reason to stop.
  }
}

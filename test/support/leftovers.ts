import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Servers end with the process of the test that started them, whatever became of the test. */
export const running = new Set<ChildProcess>();
export const directories = new Set<string>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

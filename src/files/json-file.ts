import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner may read, in one step: readers see the old content or the new one. */
export function writeJsonFile(path: string, value: unknown): void {
  const arriving = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(arriving, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(arriving, path);
  } catch (error) {
    rmSync(arriving, { force: true });
    throw error;
  }
}

/** Null when there is no such file, or it is not JSON. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

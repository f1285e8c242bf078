import { readFileSync } from 'node:fs';
import { replaceSecretFile } from './secret-file.ts';

/** Writes a file that only its owner may read, in one step. */
export function writeJsonFile(path: string, value: unknown): void {
  replaceSecretFile(path, `${JSON.stringify(value, null, 2)}\n`);
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

import { readFileSync } from 'node:fs';
import { replaceSecretFile } from './secret-file.ts';

/** Writes a value as JSON to a file of mode 0600, in one step. @throws file system errors */
export function writeJsonFile(path: string, value: unknown): void {
  replaceSecretFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The value of a JSON file; null if it is missing or not JSON. @throws other file system errors */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

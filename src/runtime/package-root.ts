import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory of our package.json, whether this runs from the sources or from `dist`. */
export const packageRoot: string = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

/** The version of our package.json. */
export function packageVersion(): string {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

function findPackageRoot(start: string): string {
  for (let directory = start; directory !== dirname(directory); directory = dirname(directory)) {
    if (nameOfPackage(directory) === 'potstream') return directory;
  }
  throw new Error(`No package.json of potstream above ${start}.`);
}

function nameOfPackage(directory: string): string | null {
  try {
    return (
      (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { name?: string }).name ?? null
    );
  } catch {
    return null;
  }
}

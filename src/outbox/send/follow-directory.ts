import { type DirectoryChange, readDirectoryChange } from '../../contracts/directory/directory.ts';
import type { Table } from '../../ports.ts';

/** Follows entries of KV DIRECTORY; resolves when all are read. An unreadable one stays as it was. */
export async function followDirectory(
  directory: Table,
  kind: 'webhookorigins' | 'webhooksubscriptions',
  apply: (change: DirectoryChange) => void,
  report: (message: string, error: unknown) => void,
): ReturnType<Table['watch']> {
  let becomeCurrent: () => void = () => {};
  const current = new Promise<void>((resolve) => {
    becomeCurrent = resolve;
  });
  const entry: Parameters<Table['watch']>[0]['entry'] = (key, value, revision) => {
    try {
      const change = readDirectoryChange(key, value, revision);
      if (change !== null) apply(change);
    } catch (error) {
      report(`The directory entry ${key} cannot be read.`, error);
    }
  };
  const watch = await directory.watch({ entry, current: becomeCurrent }, kind);
  await current;
  return watch;
}

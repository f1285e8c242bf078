import { readDirectoryChange } from '../../contracts/directory/directory.ts';
import { DirectoryEntries } from '../../directory/owners.ts';
import type { Table } from '../../ports.ts';

/** What the outbox needs of KV DIRECTORY: the origins that operators have registered for their callbacks. */
interface RegisteredOrigins {
  includes(operator: string, origin: string): boolean;
  stop(): Promise<void>;
}

/** Follows the origins; resolves when all of them are read. An unreadable entry stays as it was. */
export async function followRegisteredOrigins(
  directory: Table,
  report: (message: string, error: unknown) => void,
): Promise<RegisteredOrigins> {
  const entries = new DirectoryEntries();
  let becomeCurrent: () => void = () => {};
  const current = new Promise<void>((resolve) => {
    becomeCurrent = resolve;
  });
  const entry: Parameters<Table['watch']>[0]['entry'] = (key, value, revision) => {
    try {
      const change = readDirectoryChange(key, value, revision);
      if (change !== null) entries.apply(change);
    } catch (error) {
      report(`The directory entry ${key} cannot be read.`, error);
    }
  };
  // An operator has a hundred thousand sources, and this process needs not one of them.
  const watch = await directory.watch({ entry, current: becomeCurrent }, 'webhookorigins');
  await current;
  return {
    includes: (operator, origin) => entries.webhookOrigins.get(operator)?.origins.includes(origin) ?? false,
    stop: () => watch.stop(),
  };
}

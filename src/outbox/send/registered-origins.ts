import { DirectoryEntries } from '../../directory/owners.ts';
import type { Table } from '../../ports.ts';
import { followDirectory } from './follow-directory.ts';

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
  // An operator has a hundred thousand sources, and this process needs not one of them.
  const watch = await followDirectory(directory, 'webhookorigins', (change) => entries.apply(change), report);
  return {
    includes: (operator, origin) => entries.webhookOrigins.get(operator)?.origins.includes(origin) ?? false,
    stop: () => watch.stop(),
  };
}

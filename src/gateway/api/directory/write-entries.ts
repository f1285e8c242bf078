import { untilWon } from '../../../access/accounts/table-turns.ts';
import {
  type DirectoryEntry,
  type DirectoryKind,
  encodeDirectoryValue,
  readDirectoryChange,
} from '../../../contracts/directory/directory.ts';
import type { TableEntry } from '../../../ports.ts';
import { PublicError } from '../../base/errors.ts';
import { stored } from '../../base/stored.ts';
import type { ApprovedRequest, GatewayContext } from '../operation/operation.ts';
import { servingLanes } from './serving-lanes.ts';

const seenTimeoutMs = 5_000;

/** What a writer of the directory needs. */
export type WriteContext = Pick<GatewayContext, 'tables' | 'directoryTurns'>;
type Entry<K extends DirectoryKind> = Extract<DirectoryEntry, { kind: K }>;
type Value<K extends DirectoryKind> = Parameters<typeof encodeDirectoryValue<K>>[1];

/**
 * Writes a new entry. @returns its revision, also of an earlier attempt of the approved change; null: taken
 */
export function createEntry<K extends DirectoryKind>(
  { tables: { directory: table } }: Pick<GatewayContext, 'tables'>,
  kind: K,
  key: string,
  value: Value<K>,
  approved: ApprovedRequest | null = null,
): Promise<number | null> {
  return stored(async () => {
    const revision = await table.put(key, encodeDirectoryValue(kind, value), 0);
    if (revision !== null || approved === null || approved.attempt === 1) return revision;
    const present = await table.get(key);
    const made = readEntry<DirectoryKind>(present);
    const isOurs = made !== null && 'created_timestamp' in made && made.created_timestamp >= approved.sinceMs;
    if (present === null || !isOurs) return null;
    await approved.moveFence(key, present.revision);
    return present.revision;
  });
}

/**
 * Changes an entry with compare-and-set, again where another writer was faster. `change` gets null for a
 * missing entry and gives null to leave it. @returns the revision that it has now
 */
export function updateEntry<K extends DirectoryKind>(
  context: WriteContext,
  kind: K,
  key: string,
  change: (current: Entry<K> | null) => Value<K> | null,
): Promise<number> {
  return swapEntry(context, key, (present) => {
    const changed = change(readEntry<K>(present));
    return changed === null ? null : encodeDirectoryValue(kind, changed);
  });
}

/** Writes an entry in place of any present one, which it does not read. @returns its revision */
export function replaceEntry<K extends DirectoryKind>(
  context: WriteContext,
  kind: K,
  key: string,
  entry: Value<K>,
): Promise<number> {
  const value = encodeDirectoryValue(kind, entry);
  return swapEntry(context, key, () => value);
}

/** @returns false where it is gone or has changed since. */
export async function removeEntry(context: GatewayContext, key: string): Promise<boolean> {
  const present = await stored(() => context.tables.directory.get(key));
  if (present === null) return false;
  return stored(() => context.tables.directory.remove(key, present.revision));
}

/** Waits until this gateway's read model has the revision, so that a caller reads what it wrote. */
export function readModelHas(context: GatewayContext, revision: number): Promise<void> {
  return readModelShows(context, () => context.directory.revision >= revision);
}

/** Waits until the condition holds of this gateway's own read model of the directory. */
export function readModelShows(context: GatewayContext, condition: () => boolean): Promise<void> {
  const { directory, clock } = context;
  if (condition()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const forget = directory.onRevision(() => {
      if (!condition()) return;
      cancel();
      forget();
      resolve();
    });
    const cancel = clock.after(seenTimeoutMs, () => {
      forget();
      reject(new PublicError('outcome_unknown'));
    });
  });
}

/** As readModelHas, and every lane owner has copied what its lane needs of that revision. */
export async function lanesHave(context: GatewayContext, revision: number): Promise<void> {
  await readModelHas(context, revision);
  // The owner that a stopped lane has next writes everything into it that it missed.
  const ask = (lane: number) => context.lanes.query(lane, { kind: 'directory', revision });
  const answers = await Promise.all(servingLanes(context).map(ask));
  // The change is stored: only when the lanes take it in is not known.
  if (answers.some((answer) => answer.kind !== 'directory')) throw new PublicError('outcome_unknown');
}

/** Runs one task for each item, at most 16 at a time; results in order. */
export async function inParallel<T, R>(
  items: readonly T[],
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await task(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(16, items.length) }, worker));
  return results;
}

function readEntry<K extends DirectoryKind>(present: TableEntry | null): Entry<K> | null {
  if (present === null) return null;
  const change = readDirectoryChange(present.key, present.value, present.revision);
  return change?.kind === 'set' ? (change.entry as Entry<K>) : null;
}

function swapEntry(
  { tables: { directory: table }, directoryTurns }: WriteContext,
  key: string,
  change: (present: TableEntry | null) => Uint8Array | null,
): Promise<number> {
  const attempt = async (): Promise<number | undefined> => {
    const present = await table.get(key);
    const value = change(present);
    if (value === null) return present?.revision ?? 0;
    return (await table.put(key, value, present?.revision ?? 0)) ?? undefined;
  };
  return stored(() => directoryTurns.run(key, () => untilWon(attempt)));
}

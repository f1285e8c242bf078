import type { Table } from '../ports.ts';
import {
  type AccountKind,
  type AccountValue,
  accountKey,
  accountKinds,
  decodeAccount,
  encodeAccount,
  parseAccountKey,
} from './account-entries.ts';

/** Accounts and signing keys, followed in memory. A write goes to the table and is visible here at once. */
export interface AccountStore {
  find<K extends AccountKind>(kind: K, name: string): AccountValue<K> | undefined;
  /** Sorted by name. */
  list<K extends AccountKind>(kind: K): AccountValue<K>[];
  entries<K extends AccountKind>(kind: K): [name: string, value: AccountValue<K>][];
  /** The table keys of all entries. */
  keys(): string[];
  /** The revision of an entry; each change raises it. */
  revision(kind: AccountKind, name: string): number | undefined;
  /** False: the name is taken. */
  create<K extends AccountKind>(kind: K, name: string, value: AccountValue<K>): Promise<boolean>;
  /** Writes the entry, whatever was there before. @throws AccountContention after eight lost races */
  set<K extends AccountKind>(kind: K, name: string, value: AccountValue<K>): Promise<void>;
  /** False: nothing was removed. */
  remove(kind: AccountKind, name: string): Promise<boolean>;
  /** Calls the listener after each change, including our own. */
  onChange(listener: () => void): void;
  stop(): Promise<void>;
}

/** Too many writers of one entry at the same time. */
export class AccountContention extends Error {
  readonly code = 'account_contention';
  readonly retryable = true;
}

const setTries = 8;

interface StoredEntry {
  readonly value: unknown;
  readonly revision: number;
}

/**
 * Follows KV ACCOUNTS in memory; resolves when every present entry is read. Skips unreadable entries with a warning.
 * @throws LogError on outages
 */
export async function openAccountStore(table: Table): Promise<AccountStore> {
  const tables = Object.fromEntries(
    accountKinds.map((kind) => [kind, new Map<string, StoredEntry>()]),
  ) as Record<AccountKind, Map<string, StoredEntry>>;
  const listeners: (() => void)[] = [];

  function take(kind: AccountKind, name: string, bytes: Uint8Array | null, revision: number): void {
    const before = tables[kind].get(name);
    // A late delivery must not undo a newer write.
    if (before !== undefined && before.revision >= revision) return;
    if (bytes === null) tables[kind].delete(name);
    else if (!load(kind, name, bytes, revision)) return;
    for (const listener of listeners) listener();
  }

  /** Warns about an unreadable entry and keeps the one before; no process ends because of it. */
  function load(kind: AccountKind, name: string, bytes: Uint8Array, revision: number): boolean {
    try {
      tables[kind].set(name, { value: decodeAccount(kind, bytes), revision });
      return true;
    } catch {
      process.emitWarning(`The entry ${accountKey(kind, name)} of ACCOUNTS does not read and is left out.`, {
        code: 'POTSTREAM_ACCOUNT_UNREADABLE',
      });
      return false;
    }
  }

  let watch: { stop(): Promise<void> } | undefined;
  await new Promise<void>((resolve, reject) => {
    table
      .watch({
        entry(key, value, revision) {
          const named = parseAccountKey(key);
          if (named !== null) take(named.kind, named.name, value, revision);
        },
        current: resolve,
      })
      .then((started) => {
        watch = started;
      }, reject);
  });

  return {
    find: (kind, name) => tables[kind].get(name)?.value as never,
    list: (kind) =>
      [...tables[kind]]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([, entry]) => entry.value as never),
    entries: (kind) => [...tables[kind]].map(([name, entry]) => [name, entry.value as never]),
    keys: () =>
      accountKinds.flatMap((kind) => [...tables[kind].keys()].map((name) => accountKey(kind, name))),
    revision: (kind, name) => tables[kind].get(name)?.revision,
    async create(kind, name, value) {
      const bytes = encodeAccount(kind, value);
      const revision = await table.put(accountKey(kind, name), bytes, 0);
      if (revision === null) return false;
      take(kind, name, bytes, revision);
      return true;
    },
    async set(kind, name, value) {
      const bytes = encodeAccount(kind, value);
      const key = accountKey(kind, name);
      for (let tries = 0; tries < setTries; tries += 1) {
        const present = await table.get(key);
        const revision = await table.put(key, bytes, present?.revision ?? 0);
        if (revision === null) continue;
        take(kind, name, bytes, revision);
        return;
      }
      throw new AccountContention('An account entry is written by too many at once.');
    },
    async remove(kind, name) {
      const entry = await table.get(accountKey(kind, name));
      if (entry === null || !(await table.remove(entry.key, entry.revision))) return false;
      take(kind, name, null, entry.revision + 1);
      return true;
    },
    onChange: (listener) => void listeners.push(listener),
    stop: async () => watch?.stop(),
  };
}

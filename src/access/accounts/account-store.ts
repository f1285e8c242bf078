import type { Table } from '../../ports.ts';
import {
  type AccountKind,
  type AccountValue,
  accountKey,
  accountKinds,
  decodeAccount,
  encodeAccount,
  parseAccountKey,
} from './account-entries.ts';
import { entryTurns, untilWon } from './table-turns.ts';

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
  /** The entry as the table has it now; null where there is none. */
  read<K extends AccountKind>(kind: K, name: string): Promise<ReadAccount<K> | null>;
  /** Writes over that revision. False: another writer was faster. */
  replace<K extends AccountKind>(
    kind: K,
    name: string,
    value: AccountValue<K>,
    revision: number,
  ): Promise<boolean>;
  /** Changes a present entry, null: leaves it. @returns the new value, or null. @throws AccountContention */
  update<K extends AccountKind>(
    kind: K,
    name: string,
    change: (
      current: AccountValue<K>,
      revision: number,
    ) => AccountValue<K> | null | Promise<AccountValue<K> | null>,
  ): Promise<AccountValue<K> | null>;
  /** False: nothing was removed. */
  remove(kind: AccountKind, name: string): Promise<boolean>;
  /** Calls the listener after each change but last log-ins, on which no right depends. */
  onChange(listener: (kind: AccountKind, name: string) => void): void;
  /** Calls the listener with the name of each last log-in that has changed. */
  onLogin(listener: (name: string) => void): void;
  stop(): Promise<void>;
}

/** An entry and its revision. */
interface ReadAccount<K extends AccountKind> {
  readonly value: AccountValue<K>;
  readonly revision: number;
}

interface StoredEntry {
  readonly value: unknown;
  readonly revision: number;
}

/** Follows KV ACCOUNTS in memory; unreadable entries are left out with a warning. @throws LogError */
export async function openAccountStore(table: Table): Promise<AccountStore> {
  const tables = Object.fromEntries(
    accountKinds.map((kind) => [kind, new Map<string, StoredEntry>()]),
  ) as Record<AccountKind, Map<string, StoredEntry>>;
  const listeners: ((kind: AccountKind, name: string) => void)[] = [];
  const loginListeners: ((name: string) => void)[] = [];

  function take(kind: AccountKind, name: string, bytes: Uint8Array | null, revision: number): void {
    const before = tables[kind].get(name);
    // A late delivery must not undo a newer write.
    if (before !== undefined && before.revision >= revision) return;
    if (bytes === null) tables[kind].delete(name);
    else if (!load(kind, name, bytes, revision)) return;
    if (kind === 'login') for (const listener of loginListeners) listener(name);
    else for (const listener of listeners) listener(kind, name);
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

  async function read<K extends AccountKind>(kind: K, name: string): Promise<ReadAccount<K> | null> {
    const entry = await table.get(accountKey(kind, name));
    return entry === null ? null : { value: decodeAccount(kind, entry.value), revision: entry.revision };
  }

  const turns = entryTurns();

  async function replace<K extends AccountKind>(
    kind: K,
    name: string,
    value: AccountValue<K>,
    over: number,
  ): Promise<boolean> {
    const bytes = encodeAccount(kind, value);
    const revision = await table.put(accountKey(kind, name), bytes, over);
    if (revision === null) return false;
    take(kind, name, bytes, revision);
    return true;
  }

  return {
    read,
    replace,
    update: (kind, name, change) =>
      turns.run(accountKey(kind, name), () =>
        untilWon(async () => {
          const present = await read(kind, name);
          const changed = present === null ? null : await change(present.value, present.revision);
          if (present === null || changed === null) return null;
          return (await replace(kind, name, changed, present.revision)) ? changed : undefined;
        }),
      ),
    find: (kind, name) => tables[kind].get(name)?.value as never,
    list: (kind) =>
      [...tables[kind]]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([, entry]) => entry.value as never),
    entries: (kind) => [...tables[kind]].map(([name, entry]) => [name, entry.value as never]),
    keys: () =>
      accountKinds.flatMap((kind) => [...tables[kind].keys()].map((name) => accountKey(kind, name))),
    revision: (kind, name) => tables[kind].get(name)?.revision,
    create: (kind, name, value) => replace(kind, name, value, 0),
    async set(kind, name, value) {
      const key = accountKey(kind, name);
      const attempt = async (): Promise<true | undefined> => {
        const present = await table.get(key);
        return (await replace(kind, name, value, present?.revision ?? 0)) || undefined;
      };
      await turns.run(key, () => untilWon(attempt));
    },
    async remove(kind, name) {
      const entry = await table.get(accountKey(kind, name));
      if (entry === null || !(await table.remove(entry.key, entry.revision))) return false;
      take(kind, name, null, entry.revision + 1);
      return true;
    },
    onChange: (listener) => void listeners.push(listener),
    onLogin: (listener) => void loginListeners.push(listener),
    stop: async () => watch?.stop(),
  };
}

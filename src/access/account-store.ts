import type { Table } from '../lib/ports.ts';
import {
  type AccountKind,
  type AccountValue,
  accountKey,
  decodeAccount,
  encodeAccount,
  parseAccountKey,
} from './account-entries.ts';

/** The accounts and signing keys, followed in memory; writes go to the table and show here at once. */
export interface AccountStore {
  find<K extends AccountKind>(kind: K, name: string): AccountValue<K> | undefined;
  /** In order of their names. */
  list<K extends AccountKind>(kind: K): AccountValue<K>[];
  /** False: the name is taken. */
  create<K extends AccountKind>(kind: K, name: string, value: AccountValue<K>): Promise<boolean>;
  /** False: there is none. */
  remove(kind: AccountKind, name: string): Promise<boolean>;
  /** Calls the listener after each change, own ones included. */
  onChange(listener: () => void): void;
  stop(): Promise<void>;
}

interface Held {
  readonly value: unknown;
  readonly revision: number;
}

/** Resolves when everything that is in the table has been read. */
export async function openAccountStore(table: Table): Promise<AccountStore> {
  const held: Record<AccountKind, Map<string, Held>> = {
    administrator: new Map(),
    service: new Map(),
    key: new Map(),
  };
  const listeners: (() => void)[] = [];

  function take(kind: AccountKind, name: string, bytes: Uint8Array | null, revision: number): void {
    const before = held[kind].get(name);
    // A delivery of what was written or overtaken here must not undo it.
    if (before !== undefined && before.revision >= revision) return;
    if (bytes === null) held[kind].delete(name);
    else held[kind].set(name, { value: decodeAccount(kind, bytes), revision });
    for (const listener of listeners) listener();
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
    find: (kind, name) => held[kind].get(name)?.value as never,
    list: (kind) =>
      [...held[kind]]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([, entry]) => entry.value as never),
    async create(kind, name, value) {
      const bytes = encodeAccount(kind, value);
      const revision = await table.put(accountKey(kind, name), bytes, 0);
      if (revision === null) return false;
      take(kind, name, bytes, revision);
      return true;
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

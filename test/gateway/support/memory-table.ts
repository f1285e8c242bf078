import type { Table } from '../../../src/ports.ts';

/** A KV bucket in memory, with revisions that rise over the whole bucket. */
export function memoryTable(): Table {
  const entries = new Map<string, { value: Uint8Array; revision: number }>();
  const watchers = new Set<(key: string, value: Uint8Array | null, revision: number) => void>();
  const ever = new Set<string>();
  let revisions = 0;
  const write = (key: string, value: Uint8Array | null, expected: number): number | null => {
    if ((entries.get(key)?.revision ?? 0) !== expected) return null;
    revisions += 1;
    ever.add(key);
    if (value === null) entries.delete(key);
    else entries.set(key, { value, revision: revisions });
    const revision = revisions;
    for (const watcher of watchers) queueMicrotask(() => watcher(key, value, revision));
    return revision;
  };
  return {
    async get(key) {
      const entry = entries.get(key);
      return entry === undefined ? null : { key, ...entry };
    },
    put: async (key, value, expected) => write(key, value, expected),
    remove: async (key, expected) => write(key, null, expected) !== null,
    everHad: async (under) => [...ever].some((key) => key.startsWith(`${under}.`)),
    keys: async (prefix = '') => [...entries.keys()].filter((key) => key.startsWith(prefix)),
    async watch(handlers, under) {
      const take: typeof handlers.entry = (key, value, revision) => {
        if (under === undefined || key.startsWith(`${under}.`)) handlers.entry(key, value, revision);
      };
      for (const [key, { value, revision }] of entries) take(key, value, revision);
      handlers.current?.();
      watchers.add(take);
      return { stop: async () => void watchers.delete(take) };
    },
  };
}

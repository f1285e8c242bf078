import type { Table } from '../../ports.ts';

const attempts = 5;

/**
 * Writes an entry of a table, or removes it (value null), also where others write it at the same time. Gives
 * the text that was there before.
 */
export async function overwriteEntry(
  table: Table,
  { key, value }: { readonly key: string; readonly value: string | null },
): Promise<{ readonly before: string | null }> {
  for (let left = attempts; left > 0; left -= 1) {
    const present = await table.get(key);
    const before = present === null ? null : Buffer.from(present.value).toString('utf8');
    if (value === before) return { before };
    const revision = present?.revision ?? 0;
    const written =
      value === null
        ? await table.remove(key, revision)
        : (await table.put(key, Buffer.from(value, 'utf8'), revision)) !== null;
    if (written) return { before };
  }
  throw new Error(`${key} was changed by others again and again.`);
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryTurns } from '../../../../src/access/accounts/table-turns.ts';
import { readDirectoryChange } from '../../../../src/contracts/directory/directory.ts';
import { directoryKey } from '../../../../src/contracts/directory/directory-keys.ts';
import { DirectoryEntries } from '../../../../src/directory/owners.ts';
import { claimSourceGroup } from '../../../../src/gateway/api/contribution/source-group.ts';
import { memoryTable } from '../../support/memory-table.ts';

/** A world of one table, and what a read model of it says. */
function world() {
  const directory = memoryTable();
  const tables = { directory, accounts: memoryTable(), forgotten: memoryTable() };
  const directoryTurns = entryTurns();
  return {
    claim: async (owner: string, group: string) =>
      (await claimSourceGroup({ tables, directoryTurns }, owner, 'slot', group)).group,
    async entries(): Promise<DirectoryEntries> {
      const entries = new DirectoryEntries();
      const present = await directory.get(directoryKey.sourceGroup('op', 'slot'));
      if (present !== null) entries.apply(readDirectoryChange(present.key, present.value, present.revision)!);
      return entries;
    },
  };
}

describe('the group of a source', () => {
  test('is the first one that it was put into', async () => {
    const { claim, entries } = world();
    expect((await entries()).sourceGroup('op', 'slot')).toBeUndefined();
    expect(await claim('op', 'op')).toBe('op');
    expect(await claim('op', 'op:x')).toBe('op');
    expect(await claim('op:a', 'op:x')).toBe('op');
    expect((await entries()).sourceGroup('op:b', 'slot')).toBe('op');
  });

  test('of brands differs where the operator has none, and keeps the operator out of others', async () => {
    const { claim, entries } = world();
    expect(await claim('op:a', 'op:x')).toBe('op:x');
    expect(await claim('op:b', 'op:y')).toBe('op:y');
    expect(await claim('op', 'op:x')).toBe('op:y');
    expect((await entries()).sourceGroup('op', 'slot')).toBeUndefined();
    expect((await entries()).sourceGroup('op:c', 'slot')).toBeUndefined();
  });

  test('is one, whoever claims at the same time: a brand meets no other in its operator’s list', async () => {
    const claims = fc.array(
      fc.record({
        owner: fc.constantFrom('op', 'op:a', 'op:b'),
        group: fc.constantFrom('op', 'op:x', 'op:y'),
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(claims, async (asked) => {
        const { claim, entries } = world();
        const granted = await Promise.all(asked.map(({ owner, group }) => claim(owner, group)));
        const after = await entries();
        for (const [index, { owner, group }] of asked.entries()) {
          if (granted[index] !== group) continue;
          expect(after.sourceGroup(owner, 'slot')).toBe(group);
          if (owner === 'op')
            for (const brand of ['op:a', 'op:b']) expect(after.sourceGroup(brand, 'slot')).toBe(group);
        }
      }),
      { numRuns: 300 },
    );
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DirectoryChange, DirectoryEntry } from '../../src/contracts/directory/directory.ts';
import { operatorOf } from '../../src/contracts/fields/identifiers.ts';
import { DirectoryEntries } from '../../src/directory/owners.ts';
import type { SortedMap } from '../../src/lib/sorted/sorted-map.ts';
import { finish } from '../../src/lib/turns.ts';

const names = ['acme', 'other', 'third'] as const;
const operator = fc
  .record({ id: fc.constantFrom(...names), name: fc.constantFrom('A', 'B', 'C'), enabled: fc.boolean() })
  .map(
    (value) =>
      ({ kind: 'operator', created_timestamp: value.name.charCodeAt(0), ...value }) as DirectoryEntry,
  );
const path = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('one', 'two'))
  .map((parts) => parts.join(':'));
const brand = path.map((own) => ({ kind: 'brand', path: own, name: own, enabled: true }) as DirectoryEntry);
const rates = fc
  .record({ brand: fc.oneof(fc.constant(''), path), base_currency: fc.constantFrom('EUR', 'USD', 'JPY') })
  .map(
    (value) => ({ kind: 'rates', multipliers: {}, exponents: {}, updated: 1, ...value }) as DirectoryEntry,
  );
const origins = fc
  .record({
    operator: fc.constantFrom(...names),
    origins: fc.array(fc.constantFrom('https://a.example', 'https://b.example', 'https://c.example')),
  })
  .map((value) => ({ kind: 'webhookorigins', ...value }) as DirectoryEntry);

function removalOf(entry: DirectoryEntry): DirectoryChange {
  switch (entry.kind) {
    case 'operator':
      return { kind: 'removed', reference: { kind: 'operator', id: entry.id } };
    case 'brand':
      return { kind: 'removed', reference: { kind: 'brand', path: entry.path } };
    case 'rates':
      return { kind: 'removed', reference: { kind: 'rates', brand: entry.brand } };
    default:
      return {
        kind: 'removed',
        reference: { kind: 'webhookorigins', operator: (entry as { operator: string }).operator },
      };
  }
}

const change = fc
  .tuple(fc.oneof(operator, brand, rates, origins), fc.integer({ min: 0, max: 3 }))
  .map(([entry, chance]): DirectoryChange => (chance === 0 ? removalOf(entry) : { kind: 'set', entry }));

/** All items in an order that was kept. */
function inOrder<T, F extends string>(
  items: SortedMap<T, F>,
  field: F,
  group: string | null = null,
): readonly T[] {
  return finish(items.page({ field, direction: 1, offset: 0, limit: 1_000, group, matches: null }));
}

function sorted<T>(items: Iterable<T>, ...keys: readonly ((item: T) => string | number)[]): T[] {
  return [...items].sort((a, b) => {
    const key = keys.find((of) => of(a) !== of(b));
    return key === undefined ? 0 : key(a) < key(b) ? -1 : 1;
  });
}

test('after any changes, lists show what a sort of everything would', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(change, fc.boolean()), { maxLength: 40 }), (changes) => {
      const entries = new DirectoryEntries();
      const { operators, brands, webhookOriginRows } = entries;
      const currencyOf = (own: string) =>
        (entries.rates.get(own) ?? entries.rates.get(''))?.base_currency ?? '';
      for (const [made, isRead] of changes) {
        entries.apply(made);
        // Orders that a page has made before follow what changes then.
        if (!isRead) continue;
        expect(inOrder(operators, 'enabled')).toEqual(
          sorted(
            operators.values(),
            ({ enabled }) => Number(enabled),
            ({ id }) => id,
          ),
        );
        expect(inOrder(operators, 'name')).toEqual(
          sorted(
            operators.values(),
            ({ name }) => name,
            ({ id }) => id,
          ),
        );
        const byCurrency = sorted(
          brands.values(),
          (each) => currencyOf(each.path),
          (each) => each.path,
        );
        expect(inOrder(brands, 'base_currency')).toEqual(byCurrency);
        const ofAcme = byCurrency.filter((each) => operatorOf(each.path) === 'acme');
        expect(inOrder(brands, 'base_currency', 'acme')).toEqual(ofAcme);
        expect(entries.brandsOf('acme')).toEqual(sorted(ofAcme, (each) => each.path));
        const rows = [...entries.webhookOrigins.values()].flatMap((each) =>
          [...new Set(each.origins)].map((origin) => ({ operator_id: each.operator, origin })),
        );
        expect(inOrder(webhookOriginRows, 'origin')).toEqual(
          sorted(
            rows,
            ({ origin }) => origin,
            ({ operator_id }) => operator_id,
          ),
        );
      }
    }),
  );
});

test('a page of twenty thousand operators or brands looks at its own items only', () => {
  const entries = new DirectoryEntries();
  const count = 20_000;
  for (let index = 0; index < count; index += 1) {
    const id = `operator-${index}`;
    const both = { name: id, enabled: true, created_timestamp: index };
    entries.apply({ kind: 'set', entry: { kind: 'operator', id, ...both } as DirectoryEntry });
    entries.apply({ kind: 'set', entry: { kind: 'brand', path: `${id}:one`, ...both } as DirectoryEntry });
  }
  const { operators, brands } = entries;
  expect(inOrder(operators, 'name').length).toBe(1_000);
  expect(inOrder(brands, 'base_currency').length).toBe(1_000);
  const last = { direction: -1 as const, offset: count - 500, limit: 500, group: null, matches: null };
  const steps = [
    operators.page({ field: 'name', ...last }),
    brands.page({ field: 'base_currency', ...last }),
  ];
  // One step: there was nothing to make, to sort or to skip.
  expect(steps.map((page) => page.next().done)).toEqual([true, true]);
  expect(entries.brandsOf(`operator-${count - 1}`).length).toBe(1);
});

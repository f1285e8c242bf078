import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PageRequest, SortedMap } from '../../../src/lib/sorted/sorted-map.ts';
import { marksOf, TextFilter } from '../../../src/lib/sorted/sorted-row.ts';
import { finish } from '../../../src/lib/turns.ts';

interface Item {
  readonly id: string;
  readonly owner: string;
  priority: number;
}
type Field = 'id' | 'owner' | 'priority';

const options = {
  fields: {
    id: (item: Item) => item.id,
    owner: (item: Item) => item.owner,
    priority: (item: Item) => item.priority,
  },
  tie: (item: Item) => `${item.id} ${item.owner}`,
  text: (item: Item) => `${item.owner} ${item.id}`,
  groups: (item: Item) => [item.owner, `${item.owner}:${item.id}`],
  moving: ['priority' as const],
};
const keyOf = ({ id, owner }: Item) => `${owner} ${id}`;
const newMap = () => new SortedMap<Item, Field>(options);
const request = (changes: Partial<PageRequest<Item, Field>> = {}): PageRequest<Item, Field> => ({
  field: 'id',
  direction: 1,
  offset: 0,
  limit: 50,
  group: null,
  matches: () => true,
  ...changes,
});

/** As a list would be made without an order: filter all, sort all, cut. */
function expected(
  items: readonly Item[],
  { field, direction, offset, limit, group, matches, equal = null }: PageRequest<Item, Field>,
  part: string | null,
) {
  const has = (item: Item) =>
    options
      .text(item)
      .toLowerCase()
      .includes((part ?? '').toLowerCase());
  const order = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  return items
    .filter((item) => group === null || options.groups(item).includes(group))
    .filter((item) => equal === null || item[equal.field] === equal.value)
    .filter((item) => has(item) && (matches === null || matches(item)))
    .sort((a, b) => direction * (order(a[field], b[field]) || order(options.tie(a), options.tie(b))))
    .slice(offset, offset + limit);
}

const item = fc.record({
  id: fc.constantFrom('a', 'b', 'c-1', 'c 1', 'd', 'e', 'ä', 'Z'),
  owner: fc.constantFrom('acme', 'other', 'acme-2'),
  priority: fc.integer({ min: 0, max: 3 }),
});
const step = fc.oneof(
  { weight: 3, arbitrary: item.map((set) => ({ set })) },
  item.map((removed) => ({ removed })),
  item.map((moved) => ({ moved })),
  fc
    .record({
      field: fc.constantFrom<Field>('id', 'owner', 'priority'),
      direction: fc.constantFrom(1 as const, -1 as const),
      offset: fc.nat(8),
      limit: fc.integer({ min: 1, max: 8 }),
      group: fc.option(fc.constantFrom('acme', 'other', 'nobody', 'acme:a', 'other:Z')),
      least: fc.option(fc.nat(3)),
      part: fc.option(fc.constantFrom('', 'A', 'acme', 'ME c', '-2 ', 'ä', 'nothing')),
      equal: fc.option(
        fc.oneof(
          fc.constantFrom('a', 'c-1', 'x').map((value) => ({ field: 'id' as const, value })),
          fc.constantFrom(0, 2, 9).map((value) => ({ field: 'priority' as const, value })),
        ),
      ),
    })
    .map(({ least, part, ...page }) => ({
      part,
      page: request({
        ...page,
        matches: least === null ? null : ({ priority }) => priority >= least,
        text: part === null ? null : new TextFilter(part),
      }),
    })),
);

/** In place, as live values move. */
function move(map: SortedMap<Item, Field>, { id, owner, priority }: Item): void {
  const known = map.get(keyOf({ id, owner, priority }));
  if (known === undefined) return;
  known.priority = priority;
  map.moved(keyOf(known));
}

describe('a sorted map', () => {
  it('has the orders of all items and of large groups before a page asks for them', () => {
    const map = newMap();
    for (let index = 0; index < 4_500; index += 1) {
      const made = { id: String(index), owner: index < 1_500 ? 'small' : 'acme', priority: -index };
      map.set(keyOf(made), made);
    }
    const stepsOf = (group: string | null) => {
      const steps = map.page(request({ field: 'priority', matches: null, group }));
      let count = 0;
      while (steps.next().done !== true) count += 1;
      return count;
    };
    expect(finish(map.warm(5_000))).toBe(undefined);
    expect(finish(map.warm(2_000))).toBe(undefined);
    expect([stepsOf(null), stepsOf('acme')]).toEqual([0, 0]);
    expect(stepsOf('small')).toBeGreaterThan(0);
    for (const each of [...map.values()]) if (each.owner === 'acme') map.delete(keyOf(each));
    expect(finish(map.page(request({ field: 'priority', matches: null, limit: 1 })))).toMatchObject([
      { id: '1499' },
    ]);
  });

  it.each([10, 2_000])(
    'shows at their new places %d of 10,000 items that moved, also while pages are gathered',
    (moves) => {
      const map = newMap();
      const items = Array.from({ length: 10_000 }, (_, index) => ({
        id: String(index).padStart(5, '0'),
        owner: 'acme',
        priority: index,
      }));
      for (const each of items) map.set(keyOf(each), each);
      const page = request({ field: 'priority', limit: 20, matches: null });
      expect(finish(map.page(page))).toEqual(items.slice(0, 20));
      const gathering = map.page(request({ field: 'priority', limit: 10_000 }));
      gathering.next();
      for (const each of items.slice(-moves)) move(map, { ...each, priority: -each.priority });
      const moved = items.slice(-moves).reverse();
      expect(finish(map.page(page))).toEqual([...moved, ...items].slice(0, 20));
      const all = finish(gathering);
      expect(new Set(all).size).toBe(all.length);
      for (const still of items.slice(0, -moves)) expect(all).toContain(still);
      expect(finish(map.page({ ...page, direction: -1 }))).toEqual(
        items.slice(0, -moves).reverse().slice(0, 20),
      );
    },
  );

  it('gives the pages that sorting everything would give, whatever changes between them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const map = newMap();
        for (const each of steps) {
          if ('set' in each) map.set(keyOf(each.set), { ...each.set });
          else if ('removed' in each) map.delete(keyOf(each.removed));
          else if ('moved' in each) move(map, each.moved);
          else expect(finish(map.page(each.page))).toEqual(expected([...map.values()], each.page, each.part));
        }
      }),
    );
  });

  it('counts what all pages show, and goes on behind the last row of a page', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const map = newMap();
        for (const each of steps) {
          if ('set' in each) map.set(keyOf(each.set), { ...each.set });
          if ('moved' in each) move(map, each.moved);
          if (!('page' in each)) continue;
          const { page, part } = each;
          const all = expected([...map.values()], { ...page, offset: 0, limit: 1_000 }, part);
          const counted = finish(map.countedPage({ ...page, countsTo: 1_000 }));
          const end = page.offset + page.limit;
          expect(counted).toMatchObject({ items: all.slice(page.offset, end), total: all.length });
          expect(counted.last !== null).toBe(counted.items.length > 0 && end < all.length);
          if (counted.last === null) continue;
          const next = { ...page, offset: 0, after: counted.last, countsTo: 0 };
          expect(finish(map.countedPage(next)).items).toEqual(all.slice(end, end + page.limit));
        }
      }),
    );
  });

  it('counts no further than it is asked to', () => {
    const map = newMap();
    for (let index = 0; index < 100; index += 1) {
      const made = { id: String(index), owner: 'acme', priority: 1 };
      map.set(keyOf(made), made);
    }
    const looked: string[] = [];
    const matches = ({ id }: Item) => looked.push(id) > 0;
    const { total } = finish(map.countedPage(request({ limit: 5, matches, countsTo: 20 })));
    expect([total, looked.length]).toEqual([21, 21]);
  });

  it('takes in changes while an order is made and while a page is gathered', () => {
    const map = newMap();
    const number = (index: number) => String(index).padStart(6, '0');
    for (let index = 0; index < 10_000; index += 1) {
      const made = { id: number(index), owner: 'acme', priority: 1 };
      map.set(keyOf(made), made);
    }
    const gathering = map.page(request({ offset: 9_990, limit: 100 }));
    gathering.next();
    const late = { id: number(10_000), owner: 'acme', priority: 1 };
    map.set(keyOf(late), late);
    map.delete(keyOf({ ...late, id: number(9_995) }));
    const page = finish(gathering);
    expect(page.map(({ id }) => id)).toEqual(
      [9_990, 9_991, 9_992, 9_993, 9_994, 9_996, 9_997, 9_998, 9_999, 10_000].map(number),
    );
  });

  it('looks at no other group, and at no more than a few thousand items in a step', () => {
    const map = newMap();
    for (let index = 0; index < 20_000; index += 1) {
      const made = { id: String(index), owner: index % 1_000 === 0 ? 'small' : 'large', priority: 1 };
      map.set(keyOf(made), made);
    }
    finish(map.page(request({ group: 'small' })));
    let looked = 0;
    const matches = () => {
      looked += 1;
      return false;
    };
    finish(map.page(request({ group: 'small', matches })));
    expect(looked).toBe(20);
    looked = 0;
    let most = 0;
    for (const pages = map.page(request({ matches })); pages.next().done !== true; ) {
      most = Math.max(most, looked);
      looked = 0;
    }
    expect(most).toBeLessThanOrEqual(2_000);
  });

  it('looks at no item that a filter by value or by a part of the text leaves out', () => {
    const map = newMap();
    for (let index = 0; index < 20_000; index += 1) {
      const made = {
        id: `item ${index % 10_000}`,
        owner: index < 10_000 ? 'acme' : 'other',
        priority: index,
      };
      map.set(keyOf(made), made);
    }
    let looked = 0;
    const matches = () => {
      looked += 1;
      return true;
    };
    let steps = 0;
    const pageOf = (changes: Partial<PageRequest<Item, Field>>) => {
      looked = 0;
      steps = 0;
      const pages = map.page(request({ matches, ...changes }));
      for (;;) {
        const step = pages.next();
        if (step.done === true) return step.value.length;
        steps += 1;
      }
    };
    for (const field of ['id', 'priority'] as const) pageOf({ field });
    const equal = { field: 'id', value: 'item 77' } as const;
    for (const field of ['id', 'priority'] as const) {
      expect(pageOf({ field, equal })).toBe(2);
      expect([looked, steps]).toEqual([2, 0]);
    }
    expect(pageOf({ equal: { field: 'id', value: 'missing' } })).toBe(0);
    expect([looked, steps]).toEqual([0, 0]);
    expect(pageOf({ text: new TextFilter('no item has this') })).toBe(0);
    expect([looked, steps]).toEqual([0, 1]);
    // Marks may be those of other texts, too: a few of twenty thousand.
    const mayMatch = [...map.values()].filter((each) =>
      new TextFilter('m 9876').mayMatch(marksOf(options.text(each))),
    );
    expect(pageOf({ text: new TextFilter('M 9876') })).toBe(2);
    expect(looked).toBe(2);
    expect(mayMatch.length).toBeLessThan(2_000);
  });

  it('makes the order of a small group from its own items', () => {
    const map = newMap();
    for (let index = 0; index < 20_000; index += 1) {
      const made = { id: String(index), owner: index % 1_000 === 0 ? 'small' : 'large', priority: 1 };
      map.set(keyOf(made), made);
    }
    for (const group of ['small', 'large:1', 'nobody']) {
      expect(map.page(request({ group, field: 'priority' })).next().done).toBe(true);
    }
  });

  it('follows an item that changes in place', () => {
    const map = newMap();
    const first = { id: 'a', owner: 'acme', priority: 1 };
    const second = { id: 'b', owner: 'acme', priority: 2 };
    map.set('first', first).set('second', second);
    const byPriority = request({ field: 'priority' });
    expect(finish(map.page(byPriority))).toEqual([first, second]);
    first.priority = 3;
    map.changed('first');
    expect(finish(map.page(byPriority))).toEqual([second, first]);
  });
});

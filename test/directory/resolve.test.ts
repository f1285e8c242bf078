import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, bind, described, filledReadModel } from './support/read-model.ts';

const lookup = { brand: 'op:a', source: 's', segments: [] as string[], country: null as string | null };
const at = 1_000;

describe('the jackpot for a source', () => {
  it('is the first by segments, then the brand’s list, then the operator’s', () => {
    const readModel = filledReadModel();
    for (const id of ['high', 'gold', 'brand', 'operator']) add(readModel, described(id));
    bind(readModel, 'source', 'op', 's', [{ instance: 'operator', priority: 0 }]);
    const found = (segments: string[] = []) =>
      readModel.jackpotForSource({ ...lookup, segments }, at)?.description.instance;
    expect(found()).toBe('operator');
    bind(readModel, 'source', 'op:a', 's', [{ instance: 'brand', priority: 7 }]);
    expect(found()).toBe('brand');
    bind(readModel, 'segment', 'op', 'gold', [{ instance: 'gold', priority: 3 }]);
    bind(readModel, 'segment', 'op:a', 'high', [{ instance: 'high', priority: 9 }]);
    expect(found()).toBe('brand');
    expect(found(['gold'])).toBe('gold');
    expect(found(['gold', 'high'])).toBe('high');
    expect(found(['unknown'])).toBe('brand');
  });

  it('breaks ties of priority by the instance id', () => {
    const readModel = filledReadModel();
    for (const id of ['z', 'a', 'm']) add(readModel, described(id));
    const bindings = ['z', 'm', 'a'].map((instance) => ({ instance, priority: 1 }));
    bind(readModel, 'source', 'op', 's', bindings);
    expect(readModel.jackpotForSource(lookup, at)?.description.instance).toBe('a');
  });

  it('shows Active before Pending before Paused, and nothing else', () => {
    const readModel = filledReadModel();
    const statuses = ['Completed', 'Paused', 'Pending', 'Active', 'Cancelled', 'Switched', 'Resolving'];
    for (const status of statuses) add(readModel, described(status, { status }));
    bind(
      readModel,
      'source',
      'op',
      's',
      statuses.map((instance, priority) => ({ instance, priority })),
    );
    const found = () => readModel.jackpotForSource(lookup, at)?.description.instance ?? null;
    const order: (string | null)[] = [];
    for (let tries = 0; tries < 4; tries += 1) {
      const instance = found();
      order.push(instance);
      if (instance === null) break;
      readModel.laneEvents(0, tries + 2, [
        { kind: 'StatusChanged', instance, counter: 1, status: 'Completed', reason: '' },
      ]);
    }
    expect(order).toEqual(['Active', 'Pending', 'Paused', null]);
  });

  it.each([
    [{ white_list: ['DE'] }, 'DE-BY', true],
    [{ white_list: ['DE'] }, 'DK', false],
    [{ white_list: ['US-NJ'] }, 'US', false],
    [{ white_list: ['US-NJ'] }, 'US-NJ', true],
    [{ white_list: ['US'], black_list: ['US-NV'] }, 'US-NV', false],
    [{ white_list: [], black_list: [] }, 'FR', true],
    [{ black_list: ['D'] }, 'DE', true],
    [{ white_list: ['DE'] }, null, true],
  ])('with filters %j and country %s is found: %s', (country_filters, country, isFound) => {
    const readModel = filledReadModel();
    add(readModel, described('one', { rules: { country_filters } }));
    bind(readModel, 'source', 'op', 's', [{ instance: 'one', priority: 0 }]);
    expect(readModel.jackpotForSource({ ...lookup, country }, at) !== null).toBe(isFound);
  });

  it('is over at its end', () => {
    const readModel = filledReadModel();
    add(readModel, described('one', { timestampEndMs: at }));
    bind(readModel, 'source', 'op', 's', [{ instance: 'one', priority: 0 }]);
    expect(readModel.jackpotForSource(lookup, at - 1)).not.toBeNull();
    expect(readModel.jackpotForSource(lookup, at)).toBeNull();
  });

  it('never shows a brand what it may not play, and always the best that it may', () => {
    const instances = fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('i1', 'i2', 'i3', 'i4', 'i5'),
        owner: fc.constantFrom('op', 'op:a', 'op:b', 'foe'),
        status: fc.constantFrom('Active', 'Pending', 'Paused', 'Completed'),
        allowed: fc.option(fc.subarray(['op:a', 'op:b', 'foe:a'])),
        priority: fc.integer({ min: 0, max: 2 }),
      }),
      { selector: (instance) => instance.id, maxLength: 5 },
    );
    fc.assert(
      fc.property(instances, fc.constantFrom('op:a', 'op:b', 'foe:a'), (made, brand) => {
        const readModel = filledReadModel();
        for (const { id, owner, status, allowed } of made)
          add(
            readModel,
            described(id, { owner, status, ...(allowed ? { rules: { allowed_brands: allowed } } : {}) }),
          );
        const bindings = made.map(({ id, priority }) => ({ instance: id, priority }));
        for (const owner of ['op', 'foe']) bind(readModel, 'source', owner, 's', bindings);
        const may = (item: (typeof made)[number]) =>
          item.allowed === null
            ? brand === item.owner || brand.startsWith(`${item.owner}:`)
            : item.allowed.includes(brand);
        const ranks: Record<string, number> = { Active: 0, Pending: 1, Paused: 2 };
        const expected = made
          .filter((item) => may(item) && item.status in ranks)
          .sort(
            (a, b) =>
              ranks[a.status]! - ranks[b.status]! || a.priority - b.priority || (a.id < b.id ? -1 : 1),
          )[0];
        const found = readModel.jackpotForSource({ ...lookup, brand }, at);
        expect(found?.description.instance).toBe(expected?.id);
      }),
    );
  });
});

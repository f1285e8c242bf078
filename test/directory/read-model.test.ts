import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { convertAtoms, exponentOf } from '../../src/directory/rates.ts';
import { ReadModel } from '../../src/directory/read-model.ts';
import type { ReadModelEvent } from '../../src/messages/events.ts';
import { add, bind, described, filledReadModel, headlined } from './support/read-model.ts';

describe('a read model', () => {
  it('ends at the newest of what it was told, in whatever order', () => {
    const news = Array.from({ length: 6 }, (_, index) => ({
      laneSequence: 2 + index,
      liveValues: headlined('one', { sequence: Math.floor(index / 2), lastUpdatedMs: index }),
    }));
    fc.assert(
      fc.property(fc.shuffledSubarray(news, { minLength: 1 }), (told) => {
        const readModel = filledReadModel();
        add(readModel, described('one'));
        for (const item of told) readModel.laneLiveValues(0, item.laneSequence, [item.liveValues]);
        const newest = told.reduce((a, b) => (a.laneSequence > b.laneSequence ? a : b));
        expect(readModel.known('one')?.liveValues).toBe(newest.liveValues);
      }),
    );
  });

  it('keeps what was looked up while only live values move, and not when owners, bindings or instances do', () => {
    const readModel = filledReadModel();
    add(readModel, described('one'));
    const moves = (news: () => void): boolean => {
      const before = readModel.structure;
      news();
      return readModel.structure !== before;
    };
    const says = (...events: readonly object[]): boolean =>
      moves(() => readModel.laneEvents(0, 9, events as readonly ReadModelEvent[]));
    const status = { instance: 'one', brand: 'op:a', player: 'ada' };
    const bindings = [{ instance: 'one', priority: 0 }];
    const list = { of: 'source' as const, owner: 'op', id: 's', bindings };
    expect(says()).toBe(false);
    expect(says({ kind: 'OptInChanged', status })).toBe(false);
    expect(says({ kind: 'StatusChanged', instance: 'one', counter: 1, status: 'Paused' })).toBe(false);
    expect(moves(() => readModel.laneLiveValues(0, 10, [headlined('one', { sequence: 7 })]))).toBe(false);
    expect(moves(() => readModel.laneState(0, 10, [], []))).toBe(false);
    expect(moves(() => readModel.laneHasOnly(0, 10, []))).toBe(false);
    expect(moves(() => readModel.directoryChanged(null, 1_000))).toBe(false);

    expect(says({ kind: 'InstanceChanged', instance: described('one', { name: 'renamed' }) })).toBe(true);
    expect(says({ kind: 'BindingsChanged', ...list })).toBe(true);
    expect(moves(() => readModel.laneHasOnly(0, 11, []))).toBe(true);
    expect(moves(() => bind(readModel, 'source', 'op', 's', bindings, 12))).toBe(true);
    expect(moves(() => add(readModel, described('two')))).toBe(true);
    const reference = { kind: 'source' as const, owner: 'op', id: 's' };
    expect(moves(() => readModel.directoryChanged({ kind: 'removed', reference }, 1_001))).toBe(true);
  });

  it('moves no instance in the orders of lists when a lane repeats its values', () => {
    const readModel = filledReadModel();
    add(readModel, described('one'));
    const moved = vi.spyOn(readModel.lanes.instances, 'moved');
    const repeats = (sequence: number, changes: object) => {
      moved.mockClear();
      readModel.laneLiveValues(0, sequence, [
        headlined('one', { sequence: 7, lastUpdatedMs: 5, ...changes }),
      ]);
      return moved.mock.calls.length;
    };
    expect([repeats(10, {}), repeats(11, {}), repeats(12, {})]).toEqual([1, 0, 0]);
    expect(repeats(13, { lastUpdatedMs: 6 })).toBe(1);
    expect(repeats(14, { lastUpdatedMs: 6, status: 'Paused' })).toBe(1);
  });

  it('keeps a binding list of the lane it lives in', () => {
    const readModel = filledReadModel();
    bind(readModel, 'source', 'op', 's', [{ instance: 'one', priority: 0 }], 5);
    bind(readModel, 'source', 'op', 's', [], 4);
    expect(readModel.lanes.bindings('source', 'op', 's')).toHaveLength(1);
    readModel.laneState(3, 1, [], [{ of: 'source', owner: 'op', id: 's', bindings: [] }]);
    expect(readModel.sourcesOf('one')).toEqual(['s']);
    const moved = [{ instance: 'two', priority: 0 }];
    readModel.laneState(3, 2, [], [{ of: 'source', owner: 'op', id: 's', bindings: moved }]);
    expect(readModel.sourcesOf('one')).toEqual([]);
    expect(readModel.sourcesOf('two')).toEqual(['s']);
  });

  it('empties the lists that a lane has no more, where it has not heard of them since', () => {
    const readModel = filledReadModel();
    for (const id of ['one', 'two']) add(readModel, described(id));
    const list = (id: string) => ({
      of: 'source' as const,
      owner: 'op:a',
      id,
      bindings: [{ instance: 'one', priority: 0 }],
    });
    const kept = list('s');
    readModel.laneState(0, 5, [], [kept, list('gone')]);
    readModel.laneState(0, 9, [], [list('new one')]);
    readModel.laneState(1, 3, [], [list('elsewhere')]);
    readModel.laneHasOnly(0, 7, [kept]);
    const has = (id: string) => readModel.lanes.bindings('source', 'op:a', id).length > 0;
    expect(['s', 'gone', 'new one', 'elsewhere'].filter(has)).toEqual(['s', 'new one', 'elsewhere']);
    expect(readModel.sourcesOf('one')).toEqual(['elsewhere', 'new one', 's']);
  });

  it('names the group that resolves a source', () => {
    const readModel = filledReadModel();
    expect(readModel.groupOfSource('op:a', 's')).toBe('op');
    expect(readModel.groupOfSource('op:a', 'none')).toBeUndefined();
    expect(readModel.groupOfSource('other:a', 's')).toBeUndefined();
    const claim = (group: string, brands: Record<string, string>, revision: number) =>
      readModel.directoryChanged(
        { kind: 'set', entry: { kind: 'sourcegroup', operator: 'op', source: 's', group, brands } },
        revision,
      );
    claim('', { a: 'op:apart' }, 100);
    expect(readModel.groupOfSource('op:a', 's')).toBe('op:apart');
    expect(readModel.groupOfSource('op:b', 's')).toBe('op');
    claim('op:far', {}, 101);
    expect(readModel.groupOfSource('op:b', 's')).toBe('op:far');
  });

  it('shows a scope its own instances and those that name it', () => {
    const owners = fc.constantFrom('op', 'op:a', 'op:b', 'foe', 'foe:a');
    const allowed = fc.option(fc.subarray(['op:a', 'op:b', 'foe:a']));
    fc.assert(
      fc.property(owners, allowed, (owner, brands) => {
        const readModel = filledReadModel();
        add(readModel, described('one', { owner, ...(brands ? { rules: { allowed_brands: brands } } : {}) }));
        const sees = (brand: string) => readModel.visibleInstances({ kind: 'brand', brand }).length === 1;
        for (const brand of ['op:a', 'op:b', 'foe:a']) {
          const may =
            brands === null ? brand === owner || brand.startsWith(`${owner}:`) : brands.includes(brand);
          expect(sees(brand)).toBe(may);
        }
        const operatorSees = readModel.visibleInstances({ kind: 'operator', operator: 'foe' }).length === 1;
        expect(operatorSees).toBe(owner.startsWith('foe') || (brands?.includes('foe:a') ?? false));
      }),
    );
  });

  it('is current once the directory and all lanes are', () => {
    const readModel = new ReadModel(2);
    readModel.directoryCurrent();
    readModel.laneCurrent(0);
    readModel.laneCurrent(0);
    expect(readModel.current()).toBe(false);
    readModel.laneCurrent(1);
    expect(readModel.current()).toBe(true);
  });
});

describe('rates', () => {
  const table = {
    kind: 'rates',
    brand: '',
    version: 1,
    base_currency: 'EUR',
    multipliers: { EUR: '1', USD: '1.08', JPY: '162.5', DOGE: '5.123456789012345678' },
    exponents: { DOGE: 4 },
    updated: 1,
  } as const;

  it('convert down to atoms, and never create money on the way back', () => {
    expect(convertAtoms(table, 100_000_000n, 'EUR', 'USD')).toBe(108_000_000n);
    expect(convertAtoms(table, 1n, 'USD', 'EUR')).toBe(0n);
    expect(convertAtoms(table, 1n, 'EUR', 'SEK')).toBeNull();
    const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'DOGE');
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n), currency, currency, (atoms, from, to) => {
        const there = convertAtoms(table, atoms, from, to)!;
        expect(convertAtoms(table, there, to, from)! <= atoms).toBe(true);
      }),
    );
  });

  it('know the minor units of ISO 4217 and of the table', () => {
    expect([exponentOf(table, 'JPY'), exponentOf(table, 'DOGE'), exponentOf(table, 'NONE')]).toEqual([
      0,
      4,
      null,
    ]);
  });
});

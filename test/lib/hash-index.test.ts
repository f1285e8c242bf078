import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HashIndex } from '../../src/lib/hash-index.ts';

function entriesOf(index: HashIndex, hash: number): number[] {
  const found: number[] = [];
  index.start(hash);
  for (let entry = index.next(); entry >= 0; entry = index.next()) found.push(entry);
  return found.sort((a, b) => a - b);
}

describe('a hash index', () => {
  it('holds what a map of lists holds, under additions and removals', () => {
    const hashes = fc.oneof(fc.nat(20), fc.nat(0xffff_ffff), fc.constant(0xffff_ffff));
    fc.assert(
      fc.property(fc.array(fc.tuple(hashes, fc.boolean()), { maxLength: 400 }), (steps) => {
        const index = new HashIndex();
        const model = new Map<number, number[]>();
        steps.forEach(([hash, adds], entry) => {
          const list = model.get(hash) ?? [];
          if (adds) {
            index.add(hash, entry);
            model.set(hash, [...list, entry]);
          } else {
            if (list.length > 0) index.remove(hash, list[0]!);
            model.set(hash, list.slice(1));
          }
        });
        for (const [hash, list] of model) expect(entriesOf(index, hash)).toEqual(list);
      }),
    );
  });

  it('holds the same with room made ahead, however wrong the number was', () => {
    const hashOf = (entry: number) => Math.imul(entry, 0x9e3779b1) >>> 0;
    for (const reserved of [0, 1, 5_000, 40_000, 100_000, Number.NaN, -1]) {
      const index = new HashIndex();
      index.reserve(reserved);
      for (let entry = 0; entry < 40_000; entry++) index.add(hashOf(entry), entry);
      index.reserve(1_000_000);
      for (let entry = 0; entry < 40_000; entry += 2) index.remove(hashOf(entry), entry);
      for (let entry = 0; entry < 40_000; entry++) {
        const found = entriesOf(index, hashOf(entry));
        if (found.length !== entry % 2 || (found.length === 1 && found[0] !== entry))
          throw new Error(`${reserved}: ${entry}`);
      }
    }
  });

  it('holds the same after entries were added together', () => {
    const hashOf = (entry: number) => Math.imul(entry, 0x9e3779b1) >>> 0;
    for (const [reserved, together] of [
      [0, 700],
      [30_000, 1],
      [30_000, 1024],
      [30_000, 30_000],
    ] as const) {
      const index = new HashIndex();
      index.reserve(reserved);
      for (let first = 0; first < 30_000; first += together) {
        const count = Math.min(together, 30_000 - first);
        index.addAll(
          Int32Array.from({ length: count }, (_, i) => hashOf(first + i)),
          first,
        );
      }
      const wrong = Array.from({ length: 30_000 }, (_, entry) => entry).filter((entry) => {
        const found = entriesOf(index, hashOf(entry));
        return found.length !== 1 || found[0] !== entry;
      });
      expect(wrong).toEqual([]);
    }
  });

  it('stays right over many splits, and with many equal hashes', () => {
    const index = new HashIndex();
    const hashOf = (entry: number) => Math.imul(entry, 0x9e3779b1) >>> 0;
    for (let entry = 0; entry < 100_000; entry++) index.add(hashOf(entry), entry);
    for (let entry = 100_000; entry < 109_000; entry++) index.add(7, entry);
    for (let entry = 0; entry < 100_000; entry += 3) index.remove(hashOf(entry), entry);
    const wrong = Array.from({ length: 100_000 }, (_, entry) => entry).filter((entry) => {
      const found = entriesOf(index, hashOf(entry));
      return found.length !== (entry % 3 === 0 ? 0 : 1) || (found.length === 1 && found[0] !== entry);
    });
    expect(wrong).toEqual([]);
    expect(entriesOf(index, 7)).toHaveLength(9000);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { surplusOf } from '../../src/supervisor/balance.ts';

const surplus = (...counts: number[]) =>
  Object.fromEntries(surplusOf(new Map(counts.map((count, index) => [`g${index + 1}`, count]))));

test('a gateway with too many connections gives away what is above its share', () => {
  expect(surplus(64, 0)).toEqual({ g1: 32 });
  expect(surplus(43, 6, 5, 10)).toEqual({ g1: 27 });
  expect(surplus(0, 30, 30)).toEqual({ g2: 10, g3: 10 });
});

test('small differences stay, and so does what nobody else could take', () => {
  expect(surplus(34, 30)).toEqual({});
  expect(surplus(40, 33)).toEqual({});
  expect(surplus(2, 1)).toEqual({});
  expect(surplus(64)).toEqual({});
  expect(surplus()).toEqual({});
});

test('nobody is left with less than the share', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { minLength: 1, maxLength: 16 }), (counts) => {
      const share = Math.ceil(counts.reduce((sum, count) => sum + count, 0) / counts.length);
      const given = surplusOf(new Map(counts.map((count, index) => [String(index), count])));
      for (const [name, count] of given) expect((counts[Number(name)] as number) - count).toBe(share);
    }),
  );
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortedIndices } from '../../../src/gateway/raffles/merge-sort.ts';

it('sorts like a stable sort', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 200 }), async (values) => {
      const compare = (a: number, b: number) => values[a]! - values[b]!;
      const expected = values.map((_, index) => index).toSorted(compare);
      expect([...(await sortedIndices(values.length, compare))]).toEqual(expected);
    }),
  );
});

it('lets others in between', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  const count = 100_000;
  const sorted = await sortedIndices(count, (a, b) => b - a);
  clearInterval(timer);
  expect([sorted[0], sorted[count - 1]]).toEqual([count - 1, 0]);
  expect(turns).toBeGreaterThan(0);
});

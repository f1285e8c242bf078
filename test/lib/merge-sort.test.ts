import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortedIndices } from '../../src/lib/merge-sort.ts';
import { finish } from '../../src/lib/turns.ts';

it('sorts like a stable sort', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 200 }), (values) => {
      const compare = (a: number, b: number) => values[a]! - values[b]!;
      const expected = values.map((_, index) => index).toSorted(compare);
      expect([...finish(sortedIndices(values.length, compare))]).toEqual(expected);
    }),
  );
});

it('lets others in between', () => {
  const count = 100_000;
  const steps = sortedIndices(count, (a, b) => b - a);
  let turns = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      expect([step.value[0], step.value[count - 1]]).toEqual([count - 1, 0]);
      break;
    }
    turns += 1;
  }
  expect(turns).toBeGreaterThan(100);
});

import { expect, it } from 'vitest';
import { parseStakes } from '../../../src/simulation/choices.ts';
import { histogramOf, spreadOf, wilson } from '../../../src/simulation/statistics.ts';

it("gives Wilson's bounds", () => {
  // Published values: 10 of 100, 0 of 10, 10 of 10.
  expect(wilson(10, 100).low).toBeCloseTo(0.05523, 5);
  expect(wilson(10, 100).high).toBeCloseTo(0.17437, 5);
  expect(wilson(0, 10)).toEqual({ low: 0, high: expect.closeTo(0.27753, 5) });
  expect(wilson(10, 10)).toEqual({ low: expect.closeTo(0.72247, 5), high: 1 });
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
});

it('says how values are spread', () => {
  const values = Array.from({ length: 101 }, (_, index) => 100 - index);
  expect(spreadOf(values)).toMatchObject({
    count: 101,
    mean: 50,
    least: 0,
    p5: 5,
    p50: 50,
    p95: 95,
    most: 100,
  });
  expect(spreadOf([])).toBeNull();
});

it('counts every value in a histogram, the largest one in the last bin', () => {
  expect(histogramOf([0, 1, 5, 10], 5)).toEqual({ from: 0, to: 10, counts: [2, 0, 1, 0, 1] });
  expect(histogramOf([3, 3], 5)).toEqual({ from: 3, to: 3, counts: [2] });
});

it.each([
  ['1', [{ atoms: 100_000_000n, weight: 1 }]],
  [
    '0.2:3, 5:0.5',
    [
      { atoms: 20_000_000n, weight: 3 },
      { atoms: 500_000_000n, weight: 0.5 },
    ],
  ],
  ['x:1', 'x is not a wager'],
  ['-1:1', '-1 is not a wager'],
  ['1:0', '0 is not a weight'],
  ['1:many', 'many is not a weight'],
])('reads the stakes %s', (text, wanted) => {
  expect(parseStakes(text)).toEqual(wanted);
});

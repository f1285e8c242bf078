import { constants, PerformanceObserver } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { returnStartMemory } from '../../src/runtime/start-memory.ts';

const patience = { timeout: 30_000, interval: 20 };
const { NODE_PERFORMANCE_GC_FLAGS_FORCED: forced, NODE_PERFORMANCE_GC_MAJOR: major } = constants;

interface Collection {
  readonly kind: number;
  readonly flags: number;
}

let asked = 0;
const count = (entries: readonly object[]): void => {
  for (const entry of entries) {
    const { kind, flags } = (entry as { readonly detail: Collection }).detail;
    if (kind === major && (flags & forced) !== 0) asked += 1;
  }
};
const collections = new PerformanceObserver((list) => count(list.getEntries()));

/** Those that the observer has not told of yet are counted too. */
function collectionsMade(): number {
  count(collections.takeRecords());
  return asked;
}

beforeEach(() => {
  asked = 0;
  collections.observe({ entryTypes: ['gc'] });
});
afterEach(() => collections.disconnect());

/** What the looks find, one after the other, in a heap of this size. */
function finding(utilizations: readonly number[], heapBytes = 1_000_000) {
  const found = {
    collectedBefore: [] as number[],
    heapBytes: () => heapBytes,
    utilization: () => utilizations[found.collectedBefore.push(collectionsMade()) - 1] ?? 0,
  };
  return found;
}

test('what only the start needed is collected twice, once the thread is idle', async () => {
  const found = finding([1, 0.5, 0.01, 1, 0.01]);
  returnStartMemory(5, found);
  await vi.waitFor(() => expect(asked).toBe(2), patience);
  expect(found.collectedBefore).toEqual([0, 0, 0, 1, 1]);
});

test('a thread that is busy from its start on is left alone, and so is a large heap', async () => {
  const busy = finding(Array.from({ length: 10 }, () => 1));
  const large = finding([], 1_000_000_000);
  returnStartMemory(5, busy);
  returnStartMemory(5, large);
  await vi.waitFor(() => expect(busy.collectedBefore).toHaveLength(10), patience);
  expect(large.collectedBefore.length).toBeLessThanOrEqual(1);
  expect(collectionsMade()).toBe(0);
});

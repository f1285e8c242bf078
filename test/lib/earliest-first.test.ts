import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EarliestFirst } from '../../src/lib/earliest-first.ts';

const changes = fc.array(
  fc.record({
    key: fc.integer({ min: 0, max: 30 }),
    atMs: fc.option(fc.integer({ min: 0, max: 12 })),
    limit: fc.integer({ min: 0, max: 8 }),
    untilMs: fc.integer({ min: 0, max: 12 }),
  }),
  { maxLength: 400 },
);

it('gives what a sorted list gives, whatever came before', () => {
  fc.assert(
    fc.property(changes, (history) => {
      const queue = new EarliestFirst<number>((a, b) => a < b);
      const moments = new Map<number, number>();
      for (const { key, atMs, limit, untilMs } of history) {
        queue.set(key, atMs);
        if (atMs === null) moments.delete(key);
        else moments.set(key, atMs);
        const sorted = [...moments]
          .map(([each, moment]) => ({ key: each, atMs: moment }))
          .sort((a, b) => a.atMs - b.atMs || a.key - b.key);
        expect(queue.first()).toEqual(sorted[0] ?? null);
        expect(queue.of(key)).toBe(atMs);
        const due = sorted.filter((each) => each.atMs <= untilMs);
        expect(queue.firstUntil(untilMs, limit)).toEqual(due.slice(0, limit));
      }
    }),
  );
});

it('keeps no more entries than it needs when moments move often', () => {
  const queue = new EarliestFirst<string>((a, b) => a < b);
  for (let atMs = 100_000; atMs > 0; atMs -= 1) queue.set('a', atMs);
  expect(queue.size).toBeLessThan(100);
  expect(queue.first()).toEqual({ key: 'a', atMs: 1 });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TicketBook } from '../../../../src/jackpot/state/instance/ticket-book.ts';

const ranges = fc.array(
  fc.record({
    row: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 32 - 1 })),
    count: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 2 ** 40 })),
  }),
  { minLength: 1, maxLength: 60 },
);

it('a ticket is found in the range that it was given with, also in a book that was stored', () => {
  fc.assert(
    fc.property(ranges, fc.integer({ min: 1, max: 60 }), (given, times) => {
      const book = new TicketBook();
      const all = Array.from({ length: times }, () => given).flat();
      const kept = all.map(({ row, count }) => ({ row, count, first: book.append(row, count) }));
      const restored = new TicketBook();
      restored.resume(book.next);
      restored.adopt(book.stored());
      let next = 1;
      for (const { row, count, first } of kept) {
        expect(first).toBe(next);
        next += count;
        if (kept.length > 200 && row % 7 !== 0) continue;
        for (const each of [book, restored]) {
          expect(each.find(first)).toEqual({ row, first, count });
          expect(each.find(first + count - 1)).toEqual({ row, first, count });
        }
      }
      expect(book.next).toBe(next);
      expect(restored.append(1, 1)).toBe(next);
    }),
    { numRuns: 60 },
  );
});

it('what was stored does not change when more is given', () => {
  const book = new TicketBook();
  for (let row = 0; row < 3000; row++) book.append(row, 2);
  const stored = book.stored().map(({ first, ranges, bytes }) => ({ first, ranges, bytes: bytes.slice() }));
  const live = book.stored();
  for (let row = 0; row < 3000; row++) book.append(row, 300);
  expect(live).toEqual(stored);
});

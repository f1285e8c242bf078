import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenBook } from '../../../../src/jackpot/state/settlements/open-book.ts';
import { maxOpenDebits } from '../../../../src/jackpot/state/settlements/open-debits.ts';
import { setBrand } from '../../support/commands.ts';
import { laneWith, paying, settled } from './paying.ts';

describe('a brand whose wallet answers nothing', () => {
  it('opens as many debits as it leaves to others, and is refused for itself alone', () => {
    const lane = laneWith();
    lane.apply(setBrand({ brand: 'op:other', wallet: true }));
    const perMessage = 128;
    for (let opened = 0; opened < maxOpenDebits / 2; opened += perMessage) {
      const { outcomes } = lane.apply(
        ...Array.from({ length: perMessage }, (_, index) => paying({ contributionId: idOf(opened + index) })),
      );
      expect(outcomes.every(({ kind }) => kind === 'Pending')).toBe(true);
    }
    const next = paying({ contributionId: idOf(maxOpenDebits) });
    const other = paying({ contributionId: idOf(maxOpenDebits + 1), brand: 'op:other' });
    expect(lane.apply(next, other).outcomes).toMatchObject([
      { kind: 'Refused', code: 'wallet_unavailable' },
      { kind: 'Pending' },
    ]);
    lane.restart();
    expect(lane.apply(next).outcomes).toMatchObject([{ kind: 'Refused', code: 'wallet_unavailable' }]);
    lane.apply(...lane.engine.openDebits(0, 2).map((debit) => settled(debit, 'cancelled')));
    expect(lane.apply(next).outcomes).toMatchObject([{ kind: 'Pending' }]);
  });
});

describe('room of a book', () => {
  it('is never taken whole by some brands, and never passed by all of them', () => {
    const brand = fc.constantFrom('a', 'a', 'a', 'b', 'c', 'd');
    const step = fc.record({ brand, closes: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 40 }), fc.array(step, { maxLength: 200 }), (max, steps) => {
        const book = new OpenBook<{
          number: number;
          transactionId: string;
          instance: string;
          brand: string;
        }>();
        const open: string[] = [];
        for (const [number, { brand, closes }] of steps.entries()) {
          if (closes && open.length > 0) {
            book.delete(open.shift()!);
            continue;
          }
          const ofBrand = [...book.all()].filter((item) => item.brand === brand).length;
          expect(book.hasRoom(brand, max)).toBe(ofBrand < max - book.size);
          if (!book.hasRoom(brand, max)) continue;
          open.push(String(number));
          book.set({ number, transactionId: String(number), instance: 'i', brand });
          expect(book.size).toBeLessThanOrEqual(max);
          // Four brands can take four fifths of it.
          expect(book.hasRoom('newcomer', max)).toBe(book.size < max);
        }
      }),
    );
  });
});

function idOf(number: number): Uint8Array {
  const id = new Uint8Array(16);
  new DataView(id.buffer).setUint32(0, number);
  return id;
}

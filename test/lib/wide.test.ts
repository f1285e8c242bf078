import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addPair, addWide, highOf, lowOf, readWide, subtractPair, writeWide } from '../../src/lib/wide.ts';

const amounts = fc.bigInt({ min: 0n, max: 2n ** 63n });

describe('a wide integer', () => {
  it('adds and subtracts as bigint does, below zero too', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(amounts, fc.boolean())), (steps) => {
        const words = new Float64Array(2);
        let sum = 0n;
        for (const [amount, adds] of steps) {
          if (adds) addPair(words, 0, highOf(amount), lowOf(amount));
          else subtractPair(words, 0, highOf(amount), lowOf(amount));
          sum += adds ? amount : -amount;
          expect(readWide(words, 0)).toBe(sum);
        }
        addWide(words, 0, -sum);
        expect(readWide(words, 0)).toBe(0n);
        writeWide(words, 0, sum);
        expect(readWide(words, 0)).toBe(sum);
      }),
    );
  });
});

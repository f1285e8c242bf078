import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeystreamWords, pick } from '../../src/jackpot/rules/keystreams/keystream.ts';
import { Ranking } from '../../src/lib/ranking.ts';
import { testHashing } from '../jackpot/support/hashing.ts';

describe('a ranking', () => {
  it('names the highest of any values, ties by the lower ordinal', () => {
    const values = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 60 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 20 }), fc.boolean(), (given, limit, backwards) => {
        const all = given.map(([high, low], index) => ({ high, low, ordinal: index + 1 }));
        const ranking = new Ranking(limit);
        for (const { high, low, ordinal } of backwards ? all.toReversed() : all) {
          ranking.offer(high, low, ordinal);
        }
        const sorted = all.toSorted((a, b) => b.high - a.high || b.low - a.low || a.ordinal - b.ordinal);
        expect(ranking.taken()).toEqual(sorted.slice(0, limit).map(({ ordinal }) => ordinal));
      }),
    );
  });
});

describe('picks', () => {
  it('are what a Fisher–Yates of all places gives, however many were wanted', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 60 }), fc.nat(255), (count, wanted, run) => {
        const lanes = () => new KeystreamWords(testHashing, new Uint8Array(32).fill(run), wanted);
        const places = Array.from({ length: count }, (_, index) => index);
        const steps = Math.min(count, wanted);
        // Another pick of one place, for each step, is what Uniform gives there.
        const stream = lanes();
        for (let step = 0; step < steps; step++) {
          const other = step + pick(stream, count - step, 1)[0]!;
          [places[step], places[other]] = [places[other]!, places[step]!];
        }
        expect(pick(lanes(), count, wanted)).toEqual(places.slice(0, steps));
      }),
    );
  });
});

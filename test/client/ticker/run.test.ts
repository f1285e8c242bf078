import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runMs, runTo, shownAt, wheels } from '../../../client/src/ticker/run.ts';

const units = fc.bigInt({ min: 0n, max: 10n ** 20n });

/** The number that can be read while the wheels turn: of two digits that a window shows, the upper one counts. */
function read(places: readonly number[]): bigint {
  return BigInt(places.map((place) => Math.floor(place) % 10).join(''));
}

describe('the run between two values', () => {
  it('rises, is never ahead of the newer value, and ends exactly there', () => {
    fc.assert(
      fc.property(units, units, fc.array(fc.integer({ min: 0, max: 2 * runMs })), (from, to, moments) => {
        const run = runTo({ units: from, fraction: 0 }, to, 5);
        let before = -1n;
        for (const atMs of moments.sort((one, other) => one - other)) {
          const shown = shownAt(run, 5 + atMs);
          const text = read(wheels(shown, String(to).length));
          expect(text).toBe(shown.units);
          expect(text).toBeLessThanOrEqual(to);
          expect(text).toBeGreaterThanOrEqual(before);
          before = text;
        }
        expect(shownAt(run, 5 + runMs)).toEqual({ units: to, fraction: 0 });
      }),
    );
  });

  it('has no way down: after a win the old value is gone at once', () => {
    const run = runTo({ units: 100_000n, fraction: 0 }, 200n, 0);
    expect(shownAt(run, 0)).toEqual({ units: 200n, fraction: 0 });
  });

  it('goes on from what is shown when a newer value comes on the way', () => {
    const half = shownAt(runTo({ units: 0n, fraction: 0 }, 100n, 0), runMs / 2);
    expect(half.units).toBe(50n);
    expect(shownAt(runTo(half, 200n, runMs / 2), runMs / 2).units).toBe(50n);
  });

  it('is behind, not ahead, when the clock of the frames is before its own', () => {
    expect(shownAt(runTo({ units: 1n, fraction: 0 }, 9n, 100), 90).units).toBe(1n);
  });

  it('turns a wheel only while the one beside it goes from 9 to 0', () => {
    expect(wheels({ units: 1298n, fraction: 0.5 }, 4)).toEqual([1, 2, 9, 8.5]);
    expect(wheels({ units: 1299n, fraction: 0.5 }, 5)).toEqual([0, 1, 2.5, 9.5, 9.5]);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignedDelayMs } from '../../src/lib/pauses.ts';

test.each([
  [1_000, 100, 100],
  // A timer comes a little late, or early by the rounding of a millisecond.
  [1_000.7, 100, 99.3],
  [999.5, 100, 100.5],
  [1_049, 100, 51],
  [1_051, 100, 149],
])('at %s, every %s ms: in %s ms', (nowMs, everyMs, delayMs) => {
  expect(alignedDelayMs(nowMs, everyMs)).toBeCloseTo(delayMs, 6);
});

test('it ends at a multiple, between a half and one and a half periods from now', () => {
  const time = fc.double({ min: 0, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 60_000 }), (nowMs, everyMs) => {
      const delayMs = alignedDelayMs(nowMs, everyMs);
      expect(delayMs).toBeGreaterThanOrEqual(everyMs / 2);
      expect(delayMs).toBeLessThanOrEqual(everyMs * 1.5);
      const periods = (nowMs + delayMs) / everyMs;
      expect(Math.abs(periods - Math.round(periods)) * everyMs).toBeLessThan(0.001);
    }),
  );
});

test('what began at different times beats together, as often as it would alone', () => {
  const beats = [3, 41, 77].map((beganMs) => {
    const times: number[] = [];
    for (let nowMs = beganMs; nowMs < 10_000; nowMs += alignedDelayMs(nowMs, 200) + 1) times.push(nowMs);
    return times;
  });
  for (const times of beats) {
    expect(times.length).toBeGreaterThanOrEqual(50);
    expect(times.slice(-20)).toEqual(beats[0]!.slice(-20));
  }
});

import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Throttle } from '../../../src/actors/recovery/throttle.ts';
import { ManualClock } from '../manual-clock.ts';

it('gives way once a slice of work is done, for longer where it was more', async () => {
  const clock = new ManualClock();
  let pausePerSliceMs = 8;
  const throttle = new Throttle(clock, () => pausePerSliceMs);
  /** How long the work waits; null: longer than `maxMs`. */
  const waited = async (records: number, maxMs = 100): Promise<number | null> => {
    let isOver = false;
    void throttle.worked(records).then(() => {
      isOver = true;
    });
    for (let ms = 0; ms <= maxMs; ms += 1) {
      await turn();
      if (isOver) return ms;
      clock.advance(1);
    }
    return null;
  };
  expect(await waited(50)).toBe(0);
  expect(await waited(50)).toBe(0);
  expect(await waited(50)).toBe(10);
  expect(await waited(64)).toBe(0);
  expect(await waited(256 - 64)).toBe(16);
  expect(await waited(1024)).toBe(64);
  pausePerSliceMs = 1;
  expect(await waited(100)).toBe(0);
  expect(await waited(156)).toBe(2);
});

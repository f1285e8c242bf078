import { expect, it } from 'vitest';
import { feedHandOverMs, minSlice, sliceEveryMs } from '../../../src/fanout/base/limits.ts';
import type { Connection } from '../../../src/fanout/connections/connection.ts';
import { closeInSlices, retryAfterMs, tooSlowTogether } from '../../../src/fanout/sockets/leaving.ts';
import type { Clock } from '../../../src/ports.ts';

/** A clock whose pauses end at once, and what happens in each. */
function clockWith(paused: () => void): { clock: Clock; passedMs(): number } {
  let passedMs = 0;
  const after = (delayMs: number, task: () => void) => {
    passedMs += delayMs;
    paused();
    queueMicrotask(task);
    return () => {};
  };
  return { clock: { nowMs: () => 0, elapsedMs: () => passedMs, after }, passedMs: () => passedMs };
}

const connection = () => ({ closing: null }) as unknown as Connection;

it('closes ten thousand sockets evenly, and those that still come', async () => {
  const open = new Set(Array.from({ length: 10_000 }, connection));
  const slices: number[] = [];
  let closed = 0;
  let come = 0;
  const { clock, passedMs } = clockWith(() => {
    slices.push(closed);
    closed = 0;
    if (come++ < 3) open.add(connection());
  });
  await closeInSlices(
    open,
    (each) => {
      closed += 1;
      Object.assign(each, { closing: { reason: 'shutdown' } });
    },
    clock,
  );
  expect(Math.max(...slices)).toBeLessThanOrEqual(102);
  expect([...open].filter(({ closing }) => closing === null)).toEqual([]);
  expect(passedMs()).toBe(feedHandOverMs - sliceEveryMs);
});

it('takes no longer than few sockets need', async () => {
  const { clock, passedMs } = clockWith(() => {});
  const open = new Set(Array.from({ length: minSlice }, connection));
  await closeInSlices(open, (each) => void Object.assign(each, { closing: {} }), clock);
  expect(passedMs()).toBe(0);
});

it('spreads those who must come back to the same process, a thousand a second', () => {
  const random = (byte: number) => ({ bytes: (count: number) => new Uint8Array(count).fill(byte) });
  expect(retryAfterMs(1_000, random(255))).toBe(0);
  expect([
    retryAfterMs(10_000, random(0)),
    retryAfterMs(10_000, random(128)),
    retryAfterMs(10_000, random(255)),
  ]).toEqual([0, 5_020, 10_000]);
});

it('cuts the slowest when too much waits for all together', () => {
  const slow = (bytes: number) => ({ socket: { getBufferedAmount: () => bytes } }) as unknown as Connection;
  const open = [slow(0), slow(10), slow(30), slow(20), { socket: null } as unknown as Connection];
  expect(tooSlowTogether(open, 60)).toEqual([]);
  expect(tooSlowTogether(open, 59)).toEqual([open[2]]);
  expect(tooSlowTogether(open, 15)).toEqual([open[2], open[3]]);
});

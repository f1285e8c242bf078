import { expect, it } from 'vitest';
import { BatchLag, LanePulse, PastEnd } from '../../../src/gateway/lanes/lane-health.ts';

it('counts how long a lane was without an owner, but not the wait for the first heartbeat', () => {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} };
  const gaps: number[] = [];
  const pulse = new LanePulse(clock, new BatchLag(clock), { observe: (seconds) => void gaps.push(seconds) });
  const beatAfter = (ms: number): void => {
    nowMs += ms;
    pulse.observe();
  };
  beatAfter(9_000);
  beatAfter(200);
  beatAfter(599);
  expect(gaps).toEqual([]);
  beatAfter(600);
  beatAfter(200);
  beatAfter(14_000);
  expect(gaps).toEqual([0.6, 14]);
});

it('knows where a lane was half a minute ago, and never where it was less long ago', () => {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} };
  const past = new PastEnd(clock);
  const ends: number[] = [];
  for (let second = 1; second <= 120; second += 1) {
    nowMs = second * 1000;
    past.advanced(second);
    ends.push(past.sequence);
  }
  expect(ends.slice(0, 59).every((end) => end === 0)).toBe(true);
  ends.slice(59).forEach((end, index) => {
    expect(60 + index - end).toBeGreaterThanOrEqual(30);
    expect(60 + index - end).toBeLessThan(60);
  });
});

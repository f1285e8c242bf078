import { expect, it } from 'vitest';
import { BatchLag, LanePulse } from '../../../src/gateway/lanes/lane-health.ts';

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

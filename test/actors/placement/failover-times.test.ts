import { expect, it } from 'vitest';
import { FailoverTimes } from '../../../src/actors/placement/failover-times.ts';

it('measures from the last heartbeat of another owner to the first of this host', () => {
  let nowMs = 1_000;
  const taken: [number, number][] = [];
  const times = new FailoverTimes('b', { elapsedMs: () => nowMs }, (lane, seconds) =>
    taken.push([lane, seconds]),
  );
  times.beat(0, 'a');
  times.beat(1, 'b');
  nowMs += 200;
  times.beat(0, 'a');
  nowMs += 1_150;
  times.beat(0, 'b');
  times.beat(1, 'b');
  expect(taken).toEqual([[0, 1.15]]);
  nowMs += 200;
  times.beat(0, 'b');
  // Others' takeovers are theirs to count.
  times.beat(0, 'a');
  nowMs += 90;
  times.beat(0, 'b');
  expect(taken).toEqual([
    [0, 1.15],
    [0, 0.09],
  ]);
});

import { describe, expect, it } from 'vitest';
import { roundTimes } from '../../../../src/jackpot/rules/raffles/round.ts';

const minute = { kind: 'Length', lengthMs: 60 } as const;
const scheduled = { kind: 'Scheduled', endsMs: [100, 200, 300] } as const;

describe('the times of a round', () => {
  it.each([
    [
      'begins where the last one ended',
      minute,
      1000,
      1010,
      null,
      { startMs: 1000, endMs: 1060, isLast: false },
    ],
    [
      'skips rounds that nobody could take part in',
      minute,
      1000,
      1190,
      null,
      { startMs: 1180, endMs: 1240, isLast: false },
    ],
    [
      'is the next one at its very end',
      minute,
      1000,
      1060,
      null,
      { startMs: 1060, endMs: 1120, isLast: false },
    ],
    [
      'is the last one where timestamp_end falls into it',
      minute,
      1000,
      1000,
      1030,
      { startMs: 1000, endMs: 1030, isLast: true },
    ],
    [
      'is the last one where timestamp_end is its end',
      minute,
      1000,
      1000,
      1060,
      { startMs: 1000, endMs: 1060, isLast: true },
    ],
    [
      'is over where timestamp_end has passed',
      minute,
      1000,
      1100,
      1050,
      { startMs: 1050, endMs: 1050, isLast: true },
    ],
    [
      'ends at the first scheduled moment',
      scheduled,
      50,
      50,
      null,
      { startMs: 50, endMs: 100, isLast: false },
    ],
    [
      'ends at the next scheduled moment',
      scheduled,
      100,
      100,
      null,
      { startMs: 100, endMs: 200, isLast: false },
    ],
    [
      'skips scheduled moments that have passed',
      scheduled,
      100,
      250,
      null,
      { startMs: 200, endMs: 300, isLast: true },
    ],
    [
      'is the last one at the last scheduled moment',
      scheduled,
      200,
      200,
      null,
      { startMs: 200, endMs: 300, isLast: true },
    ],
    [
      'runs on to a timestamp_end behind the schedule',
      scheduled,
      300,
      300,
      400,
      { startMs: 300, endMs: 400, isLast: true },
    ],
    [
      'is not the last one where timestamp_end is later',
      scheduled,
      200,
      200,
      400,
      { startMs: 200, endMs: 300, isLast: false },
    ],
    [
      'ends at once where the schedule is over',
      scheduled,
      500,
      500,
      null,
      { startMs: 500, endMs: 500, isLast: true },
    ],
  ] as const)('%s', (_, duration, fromMs, nowMs, endMs, times) => {
    expect(roundTimes(duration, fromMs, nowMs, endMs)).toEqual(times);
  });
});

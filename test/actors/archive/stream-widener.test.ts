import { expect, it } from 'vitest';
import { StreamWidener } from '../../../src/actors/archive/stream-widener.ts';
import type { LaneMonitor } from '../../../src/actors/ports.ts';
import { LogError } from '../../../src/ports.ts';

const lanes = 3;
const roundTicks = 40;

/** A host with a clock that a test moves on, and a log that answers as the test says. */
function host() {
  const looked: string[] = [];
  const alarms: string[] = [];
  const owned = new Set<number>();
  let answer: (lane: number) => number = () => 0;
  let task: (() => void) | null = null;
  const widener = new StreamWidener(
    {
      trimmer: {
        trim: async () => 0,
        keepAged: async () => {},
        widen: async (lane, begunBeforeMs) => {
          looked.push(`${lane} after ${begunBeforeMs}`);
          return answer(lane);
        },
      },
      clock: {
        nowMs: () => 0,
        elapsedMs: () => 0,
        after(_, next) {
          task = next;
          return () => {
            task = null;
          };
        },
      },
      monitor: {
        alarm: (lane, code) => void alarms.push(`${lane} ${code}`),
      } as Partial<LaneMonitor> as LaneMonitor,
      owns: (lane) => owned.has(lane),
    },
    lanes,
    100,
  );
  return {
    ...{ widener, owned, alarms },
    answers: (next: (lane: number) => number) => {
      answer = next;
    },
    /** What is looked at in so many ticks. */
    async ticks(count: number): Promise<string[]> {
      looked.length = 0;
      for (let each = 0; each < count; each += 1) {
        task?.();
        await new Promise(setImmediate);
      }
      return [...looked];
    },
    isOver: () => task === null,
  };
}

it('looks at each lane once a round, and at once at one that it takes over', async () => {
  const { widener, owned, ticks, isOver } = host();
  widener.start();
  await ticks(0);
  await new Promise(setImmediate);
  const round = ['0 after 10000', '1 after 10000', '2 after 10000'];
  expect((await ticks(roundTicks)).toSorted()).toEqual(round);
  await ticks(5);
  owned.add(1);
  expect(await ticks(3)).toEqual(['1 after 0']);
  owned.delete(1);
  expect(await ticks(3)).toEqual([]);
  owned.add(1);
  expect(await ticks(3)).toEqual(['1 after 0']);
  await widener.stop();
  expect(isOver()).toBe(true);
});

it('looks again at a lane that it takes over while the log cannot be reached', async () => {
  const { widener, owned, answers, ticks } = host();
  widener.start();
  await ticks(5);
  answers(() => {
    throw new LogError('unavailable', 'down');
  });
  owned.add(2);
  expect(await ticks(2)).toEqual(['2 after 0', '2 after 0']);
  answers(() => 0);
  expect(await ticks(2)).toEqual(['2 after 0']);
  answers(() => {
    throw new LogError('misconfigured', 'somebody changed the stream');
  });
  owned.add(0);
  expect(await ticks(2)).toEqual(['0 after 0']);
  await widener.stop();
});

it('raises an alarm when more left than the reserve is for', async () => {
  const { widener, owned, alarms, answers, ticks } = host();
  widener.start();
  await ticks(5);
  answers((lane) => (lane === 1 ? 100 : 99));
  owned.add(1).add(2);
  await ticks(2);
  expect(alarms).toEqual(['1 stream_trimmed_too_far']);
  await widener.stop();
});

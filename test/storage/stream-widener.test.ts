import { expect, it } from 'vitest';
import { LogError } from '../../src/ports.ts';
import { StreamWidener } from '../../src/storage/stream-widener.ts';

/** A process that has just taken over, with a clock that a test moves on, and a log that answers as the test says. */
function storage() {
  const looked: string[] = [];
  const alarms: string[] = [];
  let answer: (lane: number) => number = () => 0;
  let task: (() => void) | null = null;
  const widener = new StreamWidener(
    {
      trimmer: {
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
      monitor: { alarm: (lane, code) => void alarms.push(`${lane} ${code}`) },
    },
    [0, 2],
    100,
  );
  return {
    ...{ widener, alarms },
    answers: (next: (lane: number) => number) => {
      answer = next;
    },
    /** What is looked at in a pass. */
    async pass(): Promise<string[]> {
      looked.length = 0;
      if (task === null) widener.start();
      else task();
      for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
      return [...looked];
    },
    isOver: () => task === null,
  };
}

it('looks at every lane at once when it takes over, and later at steps that take too long', async () => {
  const { widener, pass, isOver } = storage();
  expect(await pass()).toEqual(['0 after 0', '2 after 0']);
  expect(await pass()).toEqual(['0 after 10000', '2 after 10000']);
  await widener.stop();
  expect(isOver()).toBe(true);
});

it('looks again at a lane that it could not reach', async () => {
  const { widener, answers, pass } = storage();
  answers((lane) => {
    if (lane === 2) throw new LogError('unavailable', 'down');
    throw new LogError('misconfigured', 'somebody changed the stream');
  });
  await pass();
  expect(await pass()).toEqual(['0 after 10000', '2 after 0']);
  answers(() => 0);
  expect(await pass()).toEqual(['0 after 10000', '2 after 0']);
  expect(await pass()).toEqual(['0 after 10000', '2 after 10000']);
  await widener.stop();
});

it('raises an alarm when more left than the reserve is for', async () => {
  const { widener, alarms, answers, pass } = storage();
  answers((lane) => (lane === 2 ? 100 : 99));
  await pass();
  expect(alarms).toEqual(['2 stream_trimmed_too_far']);
  await widener.stop();
});

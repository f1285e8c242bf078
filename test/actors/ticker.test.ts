import { expect, it } from 'vitest';
import { resendAllWithinMs, Ticker, tickEveryMs } from '../../src/actors/ticker.ts';
import type { LaneTick } from '../../src/contracts/log/messages.ts';
import type { Headline } from '../../src/contracts/log/outcomes.ts';
import { ManualClock } from './manual-clock.ts';

function world(instances: number) {
  const clock = new ManualClock();
  const ticks: LaneTick[] = [];
  const ids = Array.from({ length: instances }, (_, index) => `i${index}`);
  const source = {
    appliedSequence: () => 7,
    storedOutcome: () => 5,
    instances: () => ids,
    headline: (instance: string) => (ids.includes(instance) ? ({ instance } as Headline) : null),
  };
  const ticker = new Ticker(2, source, clock, (tick) => ticks.push(tick));
  ticker.start();
  const names = (): string[] =>
    ticks.splice(0).flatMap((tick) => tick.headlines.map(({ instance }) => instance));
  return { clock, ticker, ticks, names, ids };
}

it('makes one headline of many changes within a tick', () => {
  const { clock, ticker, ticks, names } = world(1);
  clock.advance(2 * tickEveryMs);
  names();
  for (let change = 0; change < 50; change += 1) ticker.touch('i0');
  clock.advance(tickEveryMs);
  expect(ticks).toEqual([{ lane: 2, appliedSequence: 7, storedOutcome: 5, headlines: [{ instance: 'i0' }] }]);
});

it('sends everything again within the limit, in slices, for ever', () => {
  const { clock, ids, ticks } = world(2000);
  clock.advance(resendAllWithinMs);
  ticks.length = 0;
  for (let round = 0; round < 3; round += 1) {
    clock.advance(resendAllWithinMs);
    const sent = ticks.splice(0);
    expect(new Set(sent.flatMap((tick) => tick.headlines.map(({ instance }) => instance))).size).toBe(
      ids.length,
    );
    expect(Math.max(...sent.map((tick) => tick.headlines.length))).toBeLessThanOrEqual(200);
  }
});

it('says nothing after it was stopped', () => {
  const { clock, ticker, ticks } = world(3);
  ticker.stop();
  ticker.touch('i1');
  clock.advance(10 * resendAllWithinMs);
  expect(ticks).toEqual([]);
});

import { expect, it } from 'vitest';
import { resendAllWithinMs, Ticker, tickEveryMs } from '../../../../src/actors/lane/emit/ticker.ts';
import type { ReceivedTick } from '../../../../src/messages/bus-messages.ts';
import { decodeLaneTick, encodeLaneTick } from '../../../../src/messages/codec/codec.ts';
import { writeLiveValues } from '../../../../src/messages/codec/live-values.ts';
import type { LiveValues, LiveValuesSink } from '../../../../src/messages/records.ts';
import { ManualClock } from '../../manual-clock.ts';

const bare = (instance: string): LiveValues => ({
  instance,
  sequence: 0,
  version: 1,
  status: 'Active',
  pots: [],
  head: new Uint8Array(32),
  epoch: 0,
  lastUpdatedMs: 0,
});

function world(instances: number, describedLiveValues: (instance: string) => LiveValues = bare) {
  const clock = new ManualClock();
  const ticks: ReceivedTick[] = [];
  const sizes: number[] = [];
  const ids = Array.from({ length: instances }, (_, index) => `i${index}`);
  const source = {
    appliedSequence: () => 7,
    storedOutcome: () => 5,
    instances: () => ids,
    writeLiveValues: (instance: string, sink: LiveValuesSink) => {
      if (ids.includes(instance)) writeLiveValues(sink, describedLiveValues(instance));
    },
  };
  const ticker = new Ticker(2, source, clock, (tick) => {
    const frame = encodeLaneTick(tick);
    ticks.push(decodeLaneTick(frame));
    sizes.push(frame.length);
  });
  ticker.start();
  const names = (): string[] =>
    ticks.splice(0).flatMap((tick) => tick.allLiveValues.map(({ instance }) => instance));
  return { clock, ticker, ticks, names, sizes, ids };
}

it('makes one headline of many changes within a tick', () => {
  const { clock, ticker, ticks, names } = world(1);
  clock.advance(2 * tickEveryMs);
  names();
  for (let change = 0; change < 50; change += 1) ticker.touch('i0');
  clock.advance(tickEveryMs);
  expect(ticks).toMatchObject([
    { lane: 2, appliedSequence: 7, storedOutcome: 5, allLiveValues: [{ instance: 'i0' }] },
  ]);
  expect(ticks[0]?.allLiveValues[0]?.values()).toEqual(bare('i0'));
});

it('sends everything again within the limit, in slices, for ever', () => {
  const { clock, ids, ticks } = world(2000);
  clock.advance(resendAllWithinMs);
  ticks.length = 0;
  for (let round = 0; round < 3; round += 1) {
    clock.advance(resendAllWithinMs);
    const sent = ticks.splice(0);
    expect(new Set(sent.flatMap((tick) => tick.allLiveValues.map(({ instance }) => instance))).size).toBe(
      ids.length,
    );
    expect(Math.max(...sent.map((tick) => tick.allLiveValues.length))).toBeLessThanOrEqual(200);
  }
});

it('sends no tick that is too large for the bus, whatever an instance has', () => {
  const pots = Array.from({ length: 64 }, (_, index) => ({
    pot: `${'p'.repeat(62)}${index}`,
    currentAtoms: 2n ** 62n,
    instanceCount: Number.MAX_SAFE_INTEGER,
    enabled: true,
    meters: {
      seedAtoms: 2n ** 62n,
      surplusAtoms: 2n ** 62n,
      overflowAtoms: 2n ** 62n,
      contributedAtoms: 2n ** 62n,
      contributedSeedAtoms: 2n ** 62n,
      initialCostAtoms: 2n ** 62n,
      totalContributions: Number.MAX_SAFE_INTEGER,
    },
  }));
  const liveValues = (instance: string): LiveValues => ({
    instance,
    sequence: Number.MAX_SAFE_INTEGER,
    version: Number.MAX_SAFE_INTEGER,
    status: 'Resolving',
    pots,
    head: new Uint8Array(32),
    epoch: Number.MAX_SAFE_INTEGER,
    lastUpdatedMs: Number.MAX_SAFE_INTEGER,
  });
  const { clock, names, sizes, ids } = world(200, liveValues);
  clock.advance(resendAllWithinMs);
  expect(new Set(names())).toEqual(new Set(ids));
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThan(768 * 1024);
});

it('says nothing after it was stopped', () => {
  const { clock, ticker, ticks } = world(3);
  ticker.stop();
  ticker.touch('i1');
  clock.advance(10 * resendAllWithinMs);
  expect(ticks).toEqual([]);
});

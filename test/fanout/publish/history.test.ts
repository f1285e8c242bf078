import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recoveryEventsPerInstance, recoveryWindowMs } from '../../../src/fanout/base/limits.ts';
import { type Counted, History } from '../../../src/fanout/publish/history.ts';

function event(instance: string, counter: number, timestampMs: number): Counted {
  return { instance, counter, timestampMs };
}

describe('History', () => {
  it('recovers everything after a counter or says that it cannot: never a part', () => {
    const steps = fc.array(
      fc.record({
        instance: fc.constantFrom('a', 'b'),
        passMs: fc.integer({ min: 0, max: 20_000 }),
        /** Now and then a counter is skipped: a record that this process never saw. */
        skip: fc.boolean(),
      }),
      { maxLength: 100 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 120 }), (history, since) => {
        const kept = new History<Counted>();
        const all: Counted[] = [];
        const newest = new Map<string, number>();
        let nowMs = 1_000_000;
        for (const { instance, passMs, skip } of history) {
          nowMs += passMs;
          const counter = (newest.get(instance) ?? 0) + (skip ? 2 : 1);
          newest.set(instance, counter);
          all.push(event(instance, counter, nowMs));
          kept.add(event(instance, counter, nowMs));
        }
        for (const instance of ['a', 'b']) {
          const recovery = kept.after(instance, since, 0, nowMs);
          const last = newest.get(instance);
          if (!recovery.complete) continue;
          expect(recovery.events.map((found) => found.counter)).toEqual(
            Array.from({ length: (last ?? 0) - since }, (_, index) => since + 1 + index),
          );
          for (const found of recovery.events) expect(all).toContainEqual(found);
        }
      }),
    );
  });

  it('recovers what is inside the window', () => {
    const history = new History<Counted>();
    for (let counter = 1; counter <= 5; counter += 1) history.add(event('a', counter, 1_000));
    const recovery = history.after('a', 2, 0, 1_000 + recoveryWindowMs);
    expect(recovery).toEqual({
      complete: true,
      events: [3, 4, 5].map((counter) => event('a', counter, 1_000)),
    });
  });

  it.each([
    ['older than the window', 0, 1_001 + recoveryWindowMs],
    ['newer than the newest: another history', 9, 1_000],
  ])('does not recover what is %s', (_, since, nowMs) => {
    const history = new History<Counted>();
    for (let counter = 1; counter <= 5; counter += 1) history.add(event('a', counter, 1_000));
    expect(history.after('a', since, 0, nowMs)).toEqual({ complete: false });
  });

  it('knows that nothing was missed even when the newest event has left the window', () => {
    const history = new History<Counted>();
    history.add(event('a', 5, 1_000));
    expect(history.after('a', 5, 0, 1_000_000)).toEqual({ complete: true, events: [] });
  });

  it('of an instance without events it believes what others know of its counter', () => {
    const history = new History<Counted>();
    expect(history.after('a', 7, 7, 1)).toEqual({ complete: true, events: [] });
    expect(history.after('a', 6, 7, 1)).toEqual({ complete: false });
    expect(history.after('a', 8, 7, 1)).toEqual({ complete: false });
  });

  it('takes an event once', () => {
    const history = new History<Counted>();
    expect([1, 1, 2, 1, 2].map((counter) => history.add(event('a', counter, 1)))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('keeps a bounded number an instance, and then says that older ones are gone', () => {
    const history = new History<Counted>();
    const count = recoveryEventsPerInstance + 10;
    for (let counter = 1; counter <= count; counter += 1) history.add(event('a', counter, 1));
    expect(history.after('a', 5, 0, 1)).toEqual({ complete: false });
    const recovery = history.after('a', 10, 0, 1);
    expect(recovery.complete && recovery.events.length).toBe(recoveryEventsPerInstance);
  });
});

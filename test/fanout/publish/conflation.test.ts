import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflationMs, publishEveryMs, refreshMs } from '../../../src/fanout/base/limits.ts';
import { Conflation } from '../../../src/fanout/publish/updates.ts';

const instances = ['a', 'b', 'c'];
const steps = fc.array(
  fc.record({
    passMs: fc.integer({ min: 1, max: publishEveryMs }),
    touched: fc.subarray(instances),
  }),
  { minLength: 50, maxLength: 300 },
);

describe('Conflation', () => {
  it('sends an instance at most once a second, a change within a second and a look, and nothing for too long', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const conflation = new Conflation();
        const sentMs = new Map<string, number>();
        const changedMs = new Map<string, number>();
        let nowMs = 1_000_000;
        for (const { passMs, touched } of history) {
          nowMs += passMs;
          for (const instance of touched) {
            conflation.touch(instance);
            if (!changedMs.has(instance)) changedMs.set(instance, nowMs);
          }
          const due = conflation.take(nowMs);
          expect(new Set(due).size).toBe(due.length);
          for (const instance of due) {
            const before = sentMs.get(instance);
            if (before !== undefined) expect(nowMs - before).toBeGreaterThanOrEqual(conflationMs);
            sentMs.set(instance, nowMs);
            changedMs.delete(instance);
          }
          for (const since of changedMs.values()) expect(nowMs - since).toBeLessThan(conflationMs);
          for (const since of sentMs.values()) expect(nowMs - since).toBeLessThan(refreshMs);
        }
      }),
    );
  });

  it('has nothing to send where nothing was ever touched', () => {
    expect(new Conflation().take(1)).toEqual([]);
  });
});

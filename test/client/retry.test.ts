import { describe, expect, it } from 'vitest';
import { codeOf, planAfter } from '../../client/src/feed/retry.ts';

const first = { failures: 0, refusals: 0 };
/** The shortest and the longest wait. */
const waits = (code: number, reason = '', before = first) =>
  [0, 1].map((chance) => planAfter(code, reason, before, () => chance)?.waitMs ?? null);

describe('when a client comes back', () => {
  it.each([1001, 1006, 1013])('after %d: within a second, doubled with each failure up to 30 s', (code) => {
    const longest = [0, 1, 2, 3, 4, 5, 9].map((failures) => waits(code, '', { failures, refusals: 0 }));
    expect(longest).toEqual([1, 2, 4, 8, 16, 30, 30].map((seconds) => [0, seconds * 1_000]));
  });

  it('after a lifetime that is over: within a second, whatever came before', () => {
    expect(waits(1000, 'lifetime_over', { failures: 9, refusals: 0 })).toEqual([0, 1_000]);
  });

  it('after a refused credential: once', () => {
    expect(waits(4401, 'unauthenticated', { failures: 9, refusals: 0 })).toEqual([0, 1_000]);
    expect(planAfter(4401, 'unauthenticated', { failures: 1, refusals: 1 })).toBeNull();
  });

  it('after a feed that is off: in minutes', () => {
    expect(waits(4403, 'forbidden')).toEqual([180_000, 360_000]);
  });

  it.each([4408, 4429])('after %d: in ten seconds or more', (code) => {
    expect(waits(code)).toEqual([10_000, 11_000]);
    expect(waits(code, '', { failures: 9, refusals: 0 })).toEqual([10_000, 40_000]);
  });

  it.each([1002, 1009, 4400])('after %d: not by itself', (code) => {
    expect(waits(code)).toEqual([null, null]);
  });

  it('waits first as long as the service says, within reason', () => {
    expect(waits(1001, 'shutdown retry=2500')).toEqual([2_500, 3_500]);
    expect(waits(4429, 'flood retry=2500')).toEqual([10_000, 11_000]);
    expect(waits(1001, `shutdown retry=${'9'.repeat(30)}`)).toEqual([600_000, 601_000]);
    for (const reason of ['retry=5000', 'shutdown retry=-1', 'shutdown retry=1e9', 'shutdown retry='])
      expect(waits(1001, reason)).toEqual([0, 1_000]);
  });

  it('takes an HTTP status as the close of the same meaning', () => {
    expect([400, 401, 403, 404, 422, 429, 500, 503, undefined].map(codeOf)).toEqual([
      4400, 4401, 4403, 4403, 4400, 4429, 1006, 1006, 1006,
    ]);
  });
});

import { expect, it } from 'vitest';
import { judgeClock, momentOf } from '../../../src/cli/doctor/clock.ts';

const nowMs = Date.UTC(2030, 0, 1);
const unknown = { nowMs, serverMs: null, laneMs: null };

it('tells the time, and whether it was compared', () => {
  expect(judgeClock(unknown)).toBe('2030-01-01T00:00:00.000Z');
  const compared = judgeClock({ nowMs, serverMs: nowMs + 900, laneMs: nowMs - 86_400_000 });
  expect(compared).toBe("2030-01-01T00:00:00.000Z, and nats-server's agrees");
});

it("finds a clock that is not nats-server's, in both directions", () => {
  expect(() => judgeClock({ ...unknown, serverMs: nowMs - 1500 })).toThrow(/1\.5 s ahead of nats-server's/);
  expect(() => judgeClock({ ...unknown, serverMs: nowMs + 2500 })).toThrow(/2\.5 s behind nats-server's/);
});

it("does not take a slow answer for another clock: the server's time is of any moment in between", () => {
  const [askedMs, answeredMs] = [nowMs, nowMs + 9_000];
  for (const serverMs of [askedMs, askedMs + 4_000, answeredMs])
    expect(momentOf(serverMs, askedMs, answeredMs)).toBe(serverMs);
  expect(momentOf(askedMs - 1_500, askedMs, answeredMs)).toBe(askedMs);
  expect(momentOf(answeredMs + 1_500, askedMs, answeredMs)).toBe(answeredMs);
  expect(momentOf(null, askedMs, answeredMs)).toBe(answeredMs);
});

it('finds a clock that was set back behind what the jackpots have lived through', () => {
  expect(() => judgeClock({ ...unknown, laneMs: nowMs + 60_000 })).toThrow(/60\.0 s behind the time/);
});

import { expect, test } from 'vitest';
import { LogTimeAhead, TimeGuard } from '../../../src/actors/lane/time-guard.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const minuteMs = 60_000;
const maxLeadMs = 5 * minuteMs;

/** `laneMs`: the time that the lane has reached. */
function guardAt(laneMs: number) {
  const engine = { timestampMs: laneMs };
  const time = { nowMs: now, seconds: 1000 };
  const alarms: string[] = [];
  const monitor = {
    stopwatchSeconds: () => time.seconds,
    alarm: (_lane: number, code: string) => alarms.push(code),
  };
  const clock = { nowMs: () => time.nowMs };
  const replica = { lane: 0, engine } as never;
  const guard = new TimeGuard(replica, { clock, monitor } as never, maxLeadMs);
  const check = (timestampMs: number, storedOutcome = 0, sequence = 8): void => {
    guard.check({ lane: 0, sequence, channel: 'batch', timestampMs, bytes: new Uint8Array() }, storedOutcome);
    engine.timestampMs = Math.max(engine.timestampMs, timestampMs);
  };
  return { check, time, alarms };
}

test('up to the limit ahead is let pass, beyond it is not', () => {
  const { check } = guardAt(now - minuteMs);
  expect(() => check(now + maxLeadMs)).not.toThrow();
  expect(() => guardAt(now - minuteMs).check(now + maxLeadMs + 1)).toThrow(LogTimeAhead);
  expect(() => guardAt(now - minuteMs).check(Date.parse('2100-01-01'))).toThrow(/^Message 8 of 2100-01-01T/);
});

test('a log that begins in the future is not begun', () => {
  expect(() => guardAt(0).check(now + maxLeadMs + 1)).toThrow(LogTimeAhead);
});

test('what was applied before is history, whatever its time', () => {
  const { check, alarms } = guardAt(now - minuteMs);
  expect(() => check(now + 1000 * minuteMs, 8)).not.toThrow();
  expect(() => check(now + 1000 * minuteMs, 7, 9)).not.toThrow();
  expect(alarms).toEqual(['host_clock_behind']);
});

test('old messages are old after an outage of any length', () => {
  const { check } = guardAt(now - 100_000 * minuteMs);
  expect(() => check(now - 50_000 * minuteMs)).not.toThrow();
  expect(() => check(now)).not.toThrow();
});

test("a host whose own clock falls behind goes on, with one alarm: the log's time leaps nowhere", () => {
  const { check, time, alarms } = guardAt(now - minuteMs);
  check(now);
  time.nowMs -= 60 * minuteMs;
  time.seconds += 60;
  for (let later = 1; later <= 3; later += 1) check(now + later * 1000);
  expect(alarms).toEqual(['host_clock_behind']);
});

test('a quiet hour under a wrong clock of the host is no leap, the stopwatch tells', () => {
  const { check, time, alarms } = guardAt(now - minuteMs);
  check(now);
  time.nowMs -= 10 * minuteMs;
  time.seconds += 3600;
  expect(() => check(now + 60 * minuteMs)).not.toThrow();
  expect(alarms).toEqual(['host_clock_behind']);
  time.seconds += 60;
  expect(() => check(now + 120 * minuteMs)).toThrow(LogTimeAhead);
});

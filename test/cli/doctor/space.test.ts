import { expect, it } from 'vitest';
import { judgeSpace } from '../../../src/cli/doctor/space.ts';

const hourMs = 3_600_000;
const nowMs = 1_000 * hourMs;
const limits = { streamReserveRatio: 0.1, streamAlarmRatio: 0.7, streamAlarmMs: 24 * hourMs };
const fill = (bytes: number, ageHours: number, maxBytes = 1_000_000) => ({
  stream: 'CMD_0',
  bytes,
  maxBytes,
  oldestMs: nowMs - ageHours * hourMs,
});

it('is content with streams that have room for long', () => {
  const streams = [fill(300_000, 500), { ...fill(0, 0), stream: 'OUT_0', oldestMs: null }];
  expect(judgeSpace(streams, limits, nowMs)).toBe(
    '2 streams of lanes hold 293.0 KiB; the fullest is CMD_0 with 30 %',
  );
  expect(judgeSpace([fill(900_000, 1, 0)], limits, nowMs)).toBe('1 streams of lanes hold 878.9 KiB');
});

it.each([
  [fill(900_000, 500), 'CMD_0 is 90 % full: contributions of its lane are refused'],
  [fill(300_000, 2), 'CMD_0 will have no room for contributions in 4.0 hours at its current rate'],
  [fill(750_000, 500), 'CMD_0 is 75 % full'],
])('tells of %j', (stream, fault) => {
  expect(() => judgeSpace([stream], limits, nowMs)).toThrow(fault);
});

it('foretells nothing from a minute', () => {
  expect(judgeSpace([fill(300_000, 1 / 120)], limits, nowMs)).toContain('30 %');
});

it('foretells nothing of a stream that is archived and trimmed before it is full', () => {
  const archived = { ...limits, archive: 'objects' };
  expect(judgeSpace([fill(300_000, 2)], archived, nowMs)).toContain('30 %');
  expect(() => judgeSpace([fill(650_000, 2)], archived, nowMs)).toThrow('CMD_0 will have no room');
  expect(() => judgeSpace([fill(300_000, 2)], { ...limits, archive: 'off' }, nowMs)).toThrow('no room');
});

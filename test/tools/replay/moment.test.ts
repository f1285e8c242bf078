import { describe, expect, it } from 'vitest';
import { parseMoment } from '../../../tools/replay/moment.ts';

const timeMs = Date.UTC(2026, 10, 22, 10);

describe('--at', () => {
  it.each([
    ['0', 0],
    ['1200', 1200],
    ['999999999999', 999_999_999_999],
  ])('takes %s for a sequence number', (text, sequence) => {
    expect(parseMoment(text)).toEqual({ kind: 'sequence', sequence });
  });

  it.each([
    ['1000000000000', 1e12],
    [String(timeMs), timeMs],
    ['2026-11-22T10:00:00Z', timeMs],
    ['2026-11-22T10:00Z', timeMs],
    ['2026-11-22 10:00:00.000Z', timeMs],
    ['2026-11-22T12:00:00+02:00', timeMs],
    ['2026-11-22', Date.UTC(2026, 10, 22)],
  ])('takes %s for a time', (text, time) => {
    expect(parseMoment(text)).toEqual({ kind: 'time', timeMs: time });
  });

  // A time without a zone is another one on another machine.
  it.each(['', '-1', '1e3', '007', '1.5', 'yesterday', '2026-11-22T10:00:00', '2026-13-01', '1969-01-01'])(
    'refuses %j',
    (text) => {
      expect(parseMoment(text)).toBeNull();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { mustDropsOf, mustDropText, windowEndMs } from '../../console/src/screens/jackpots/must-drop.ts';
import { dayEndOf, dayStartOf, percentText, utcStartOf } from '../../console/src/screens/reports/days.ts';

const pot = (id: string, current_value: string, ...pot_types: object[]) => ({
  id,
  enabled: true,
  current_value,
  pot_types,
});

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 29, 19);

describe('pots that must drop', () => {
  it('come by time first, then the nearest to its value; others not at all', () => {
    const pots = [
      pot('far', '10', { Threshold: { min_value: '5', max_value: '60' } }),
      pot('near', '59.99', { Threshold: { min_value: '5', max_value: '60' } }),
      pot('chance', '10', { HitRate: { max_magic_number: 5, cost_per_attempt: 1 } }),
      pot('late', '10', { Time: { start_time: now, end_time: now + 2 * dayMs } }),
      pot('night', '10', { Time: { start_time: 0, end_time: 72_000_000 } }),
      { ...pot('off', '10', { Time: { start_time: 1, end_time: 5 } }), enabled: false },
    ];
    const drops = mustDropsOf(pots, now);
    expect(drops.map((each) => each.pot)).toEqual(['night', 'late', 'near', 'far']);
    expect(drops.map((each) => mustDropText(each, 'EUR'))).toEqual([
      'night by 2026-11-29T20:00:00.000Z',
      'late by 2026-12-01T19:00:00.000Z',
      'near by 60.00 EUR',
      'far by 60.00 EUR',
    ]);
  });
});

describe('the end of a window', () => {
  it.each([
    ['is today where that is to come', 72_000_000, now, Date.UTC(2026, 10, 29, 20)],
    [
      'is tomorrow from the moment on that it has passed',
      72_000_000,
      now + 3_600_000,
      now + 3_600_000 + dayMs,
    ],
    ['may be the very start of a day', 0, now, Date.UTC(2026, 10, 30)],
    ['may be the last millisecond of a day', dayMs - 1, now, Date.UTC(2026, 10, 30) - 1],
    ['is the timestamp itself from a day on', dayMs, now, dayMs],
    ['is a timestamp to come', now + 5, now, now + 5],
  ])('%s', (_, endTime, nowMs, expected) => {
    expect(windowEndMs(endTime, nowMs)).toBe(expected);
  });
});

describe('days', () => {
  it('begin and end where those of the person do, whatever their length', () => {
    for (const day of ['2026-03-29', '2026-10-25', '2026-12-31']) {
      const [start, end] = [new Date(dayStartOf(day) ?? 0), new Date(dayEndOf(day) ?? 0)];
      expect([start.getHours(), end.getHours()]).toEqual([0, 0]);
      expect(end.getTime() - start.getTime()).toBeGreaterThanOrEqual(23 * 3_600_000);
      expect(start.getDate()).toBe(Number(day.slice(8)));
    }
    expect(utcStartOf('2026-03-29')).toBe(Date.UTC(2026, 2, 29));
  });

  it.each([undefined, '', 'today', '2026-3-1'])('are none where none was given: %j', (day) => {
    expect(dayStartOf(day)).toBeUndefined();
  });
});

describe('a return', () => {
  it.each([
    ['0.9412', '94.12 %'],
    ['0.941234', '94.1234 %'],
    ['12.5', '1250 %'],
    ['0.00', '0 %'],
    ['1', '100 %'],
    ['-0.005', '-0.5 %'],
    [null, '–'],
  ])('of %s is %s', (share, text) => expect(percentText(share)).toBe(text));
});

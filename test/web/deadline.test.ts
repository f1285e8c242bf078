import { describe, expect, it } from 'vitest';
import { deadlineOf, timeLeft } from '../../web/src/parts/deadline.ts';
import type { SessionJackpot } from '../../web/src/session/shapes.ts';

const noonMs = Date.UTC(2026, 0, 2, 12);
const hourMs = 3_600_000;
const jackpot: SessionJackpot = {
  instance_id: 'a',
  name: 'A',
  description: '',
  jackpot_type: 'Jackpot',
  currency: 'EUR',
  opt_in_required: false,
  sources: [],
  brands: null,
  timestamp_end: null,
  round_end: null,
  pots: [],
};
const timed = (start_time: number, end_time: number): SessionJackpot => ({
  ...jackpot,
  pots: [
    {
      id: 'p',
      must_hit_by: null,
      window: { start_time, end_time },
      last_win: null,
      awarded_by_operator: false,
    },
  ],
});

describe('what a jackpot counts down to', () => {
  it('is nothing where nothing is due', () => {
    expect(deadlineOf(jackpot, noonMs)).toBeNull();
  });

  it("is the end of today's window, and tomorrow's once that has passed", () => {
    const daily = timed(0, 20 * hourMs);
    expect(deadlineOf(daily, noonMs)).toEqual({ atMs: noonMs + 8 * hourMs, words: 'Must drop' });
    expect(deadlineOf(daily, noonMs + 9 * hourMs)?.atMs).toBe(noonMs + 32 * hourMs);
  });

  it("is tomorrow's window once today's was won", () => {
    const daily = timed(0, 20 * hourMs);
    const won = { ...daily, pots: daily.pots.map((pot) => ({ ...pot, last_win: noonMs - 1 })) };
    expect(deadlineOf(won, noonMs)?.atMs).toBe(noonMs + 32 * hourMs);
  });

  it('is the end of a window that comes once, until it has passed', () => {
    const once = timed(noonMs - hourMs, noonMs + hourMs);
    expect(deadlineOf(once, noonMs)?.atMs).toBe(noonMs + hourMs);
    expect(deadlineOf(once, noonMs + 2 * hourMs)).toBeNull();
  });

  it('is the first of several', () => {
    const all = { ...timed(0, 20 * hourMs), round_end: noonMs + 60_000, timestamp_end: noonMs + hourMs };
    expect(deadlineOf(all, noonMs)).toEqual({ atMs: noonMs + 60_000, words: 'Draw' });
  });
});

it.each([
  [0, '0:00'],
  [-5, '0:00'],
  [9_001, '0:10'],
  [65_000, '1:05'],
  [hourMs, '1 h 00 min'],
  [50 * hourMs, '2 d 2 h'],
])('%d ms are %s', (leftMs, text) => {
  expect(timeLeft(leftMs)).toBe(text);
});

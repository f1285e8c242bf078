import { describe, expect, it } from 'vitest';
import { deadlineMs, timeLeft } from '../../../client/src/ticker/deadline.ts';
import { english, filled, potName } from '../../../client/src/ticker/labels.ts';

const at = (text: string) => Date.parse(text);
const hourMs = 3_600_000;

describe('the deadline of a pot', () => {
  it('of every day is the next one', () => {
    expect(deadlineMs('20:00Z', at('2026-11-28T19:59:59Z'))).toBe(at('2026-11-28T20:00:00Z'));
    expect(deadlineMs('20:00Z', at('2026-11-28T20:00:00Z'))).toBe(at('2026-11-29T20:00:00Z'));
    expect(deadlineMs('00:30Z', at('2026-12-31T23:00:00Z'))).toBe(at('2027-01-01T00:30:00Z'));
  });

  it('is a date, and gone after it', () => {
    const date = '2026-12-01T20:00:00+01:00';
    expect(deadlineMs(date, at('2026-12-01T18:59:59Z'))).toBe(at('2026-12-01T19:00:00Z'));
    expect(deadlineMs(date, at('2026-12-01T19:00:00Z'))).toBe(null);
  });

  it.each(['', '24:00Z', '8:00Z', 'soon'])('is none: %j', (text) => {
    expect(deadlineMs(text, 0)).toBe(null);
  });
});

describe('the time that is left', () => {
  it.each([
    [51 * hourMs + 1, 'en', '2d 3h'],
    [3 * hourMs + 5 * 60_000, 'en', '3h 05m'],
    [249_000, 'en', '4:09'],
    [1, 'en', '0:01'],
    [-5, 'en', '0:00'],
    [249_000, 'ar-EG', '٤:٠٩'],
  ])('%d ms in %s', (leftMs, locale, text) => {
    expect(timeLeft(leftMs, locale)).toBe(text);
  });
});

describe('words', () => {
  it('are filled in, and what is unknown stays', () => {
    expect(filled('{player} won {amount} {x}', { player: 'ad***', amount: '€5' })).toBe('ad*** won €5 {x}');
  });

  it('name pots by their ids, or as the page wants', () => {
    expect(potName('grand_prize', english)).toBe('Grand prize');
    expect(potName('grand', { ...english, pots: { grand: 'Mega' } })).toBe('Mega');
    expect(potName('constructor', english)).toBe('Constructor');
  });
});

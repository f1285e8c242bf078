import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Announcer,
  announcementGapMs,
  Celebrations,
  celebrationMs,
  isFresh,
  maxWaiting,
  type Win,
} from '../../../client/src/ticker/celebrations.ts';

const win = (player: string, timestampMs = 0): Win => ({
  instance: 'aurora',
  pot: 'mini',
  amount: '5',
  currency: 'EUR',
  player,
  timestampMs,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('celebrations', () => {
  const shown: (string | null)[] = [];
  let celebrations: Celebrations;
  beforeEach(() => {
    shown.length = 0;
    celebrations = new Celebrations((each) => shown.push(each?.player ?? null));
  });

  it('show wins one after the other, each for its time', () => {
    for (const player of ['ad***', 'br***']) celebrations.add(win(player));
    expect(shown).toEqual(['ad***']);
    vi.advanceTimersByTime(celebrationMs - 1);
    expect(shown).toEqual(['ad***']);
    vi.advanceTimersByTime(1);
    expect(shown).toEqual(['ad***', 'br***']);
    vi.advanceTimersByTime(celebrationMs);
    expect(shown).toEqual(['ad***', 'br***', null]);
    celebrations.add(win('cy***'));
    expect(shown.at(-1)).toBe('cy***');
  });

  it('leave out the oldest of a crowd that waits', () => {
    for (let index = 0; index < maxWaiting + 4; index += 1) celebrations.add(win(`p${index}`));
    vi.advanceTimersByTime(celebrationMs * (maxWaiting + 4));
    const waited = Array.from({ length: maxWaiting }, (_, index) => `p${index + 4}`);
    expect(shown).toEqual(['p0', ...waited, null]);
  });

  it('end with the ticker', () => {
    for (const player of ['ad***', 'br***']) celebrations.add(win(player));
    celebrations.stop();
    vi.advanceTimersByTime(10 * celebrationMs);
    expect(shown).toEqual(['ad***', null]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are for wins of now, by the clock of the service', () => {
    expect(isFresh(win('ad***', 1_000_000), 1_014_999)).toBe(true);
    expect(isFresh(win('ad***', 1_000_000), 1_015_000)).toBe(false);
  });
});

describe('announcements', () => {
  it('come at most once in ten seconds, and say how many wins they stand for', () => {
    const said: [string, number][] = [];
    const announcer = new Announcer();
    const announce = (name: string) => announcer.announce((more) => said.push([name, more]));
    announce('first');
    announce('second');
    announce('third');
    expect(said).toEqual([['first', 0]]);
    vi.advanceTimersByTime(announcementGapMs - 1);
    expect(said.length).toBe(1);
    vi.advanceTimersByTime(1);
    expect(said).toEqual([
      ['first', 0],
      ['third', 1],
    ]);
    announce('fourth');
    expect(said.length).toBe(2);
    vi.advanceTimersByTime(announcementGapMs);
    expect(said.at(-1)).toEqual(['fourth', 0]);
    vi.advanceTimersByTime(announcementGapMs);
    expect(vi.getTimerCount()).toBe(0);
    announce('fifth');
    expect(said.at(-1)).toEqual(['fifth', 0]);
  });
});

import { describe, expect, it } from 'vitest';
import { AdaptiveSpeed } from '../../../src/actors/epochs/adaptive-speed.ts';

/** A gear's work over time: so many messages come a second, and it replays as many as its pause lets it. */
function simulate(load: number, behind: number, seconds: number, maxPerSecond: number) {
  const speed = new AdaptiveSpeed(0);
  const pauses: number[] = [];
  for (let second = 1; second <= seconds; second += 1) {
    const replayed = maxPerSecond / (1 + speed.pausePerSliceMs);
    behind = Math.max(0, behind + load - replayed);
    speed.adjust(second * 1000, behind);
    pauses.push(speed.pausePerSliceMs);
  }
  return { behind, pauses, isTooSlow: speed.isTooSlow };
}

describe('work beside a lane', () => {
  it('stays at ease where that is enough', () => {
    const { behind, pauses } = simulate(100, 0, 600, 2000);
    expect(new Set(pauses)).toEqual(new Set([8]));
    expect(behind).toBe(0);
  });

  it('is as fast as the load asks for, and no faster for longer', () => {
    const { behind, isTooSlow, pauses } = simulate(600, 0, 3600, 2000);
    expect(behind).toBeLessThan(10_000);
    expect(isTooSlow).toBe(false);
    expect(Math.min(...pauses.slice(1800))).toBeGreaterThanOrEqual(1);
  });

  it('catches up with a backlog in minutes, not in hours', () => {
    const { behind, pauses } = simulate(200, 500_000, 1800, 2000);
    expect(behind).toBeLessThanOrEqual(256);
    expect(pauses.at(-1)).toBe(8);
  });

  it('says where no gear is enough, and no more once one is', () => {
    const speed = new AdaptiveSpeed(0);
    for (let adjust = 1; adjust <= 10; adjust += 1) speed.adjust(adjust * 10_000, adjust * 100_000);
    expect(speed.isTooSlow).toBe(true);
    expect(speed.pausePerSliceMs).toBe(0.5);
    speed.adjust(110_000, 100);
    expect(speed.isTooSlow).toBe(false);
  });
});

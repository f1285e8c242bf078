import type { Random } from '../../ports.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pause before each try, from the first one on (docs/rules/callbacks.md "Tries"). */
const pausesMs = [
  0,
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
] as const;
/** A pause is up to so much longer: receivers that come back do not get everything at once. */
const jitter = 0.1;

export const maxTries = pausesMs.length;

/** The pause after so many tries; null: there was the last one. */
export function pauseAfter(tries: number, random: Random): number | null {
  const pauseMs = pausesMs[tries];
  if (pauseMs === undefined) return null;
  const [a = 0, b = 0] = random.bytes(2);
  return Math.round(pauseMs * (1 + (jitter * (256 * a + b)) / 65_536));
}

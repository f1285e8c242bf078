import type { LoadReport } from '../load.ts';

/** Rounds of each part of the row `growth`, and how long each point of a round is measured. */
export const rounds = Number(process.env.GROWTH_ROUNDS ?? 5);
export const durationMs = 4_000;
export const warmupMs = 1_500;
export const connections = 256;

/** Contributions a second at each point, round by round, in the order in which the points grow. */
export type Rates = ReadonlyMap<number, number[]>;

export function ratesAt(points: readonly number[]): Rates {
  return new Map(points.map((point) => [point, []]));
}

/** Contributions a second, all of them taken. */
export function takenPerSecond({ perSecond, requests, statuses, failures }: LoadReport): number {
  const refused = requests - (statuses['200'] ?? 0) + failures;
  if (refused > 0) throw new Error(`${refused} contributions were not taken: ${JSON.stringify(statuses)}`);
  return perSecond;
}

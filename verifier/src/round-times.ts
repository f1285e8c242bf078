import { Disagreement } from './disagreement.ts';
import type { Members } from './shape.ts';

/** When a raffle's round runs; milliseconds. */
export interface RoundTimes {
  readonly start: number;
  readonly end: number;
  /** No round follows it. */
  readonly last: boolean;
}

/** How a round came about. */
export interface RoundOrigin {
  /** The end of the round before; of the first one the moment at which the instance became Active. */
  readonly fromMs: number;
  /** The round began at this moment or later: messages before it belong to the round before. */
  readonly sinceMs: number;
}

const unitsMs: Readonly<Record<string, number>> = {
  Seconds: 1000,
  Minutes: 60_000,
  Hours: 3_600_000,
  Days: 86_400_000,
  Weeks: 604_800_000,
};

/**
 * Whether a round of these rules may have these times. A round of a length that passed while nothing ran is left out; the
 * instance's own end (timestamp_end), which is not public in the epoch, may cut the last round short.
 */
export function fitsDuration(rules: Members, origin: RoundOrigin, times: RoundTimes): boolean {
  const { start, end, last } = times;
  // Only the instance's own end leaves a round no time at all.
  if (last && start === end) return true;
  const regular = regularEnd(rules, origin, start);
  if (regular === 'wrong-start') return false;
  if (end === regular) return true;
  return last && end > start && (regular === null || end < regular);
}

/** The end of the round that begins at `start`; null: nothing ends it but the instance's own end. */
function regularEnd(
  rules: Members,
  { fromMs, sinceMs }: RoundOrigin,
  start: number,
): number | null | 'wrong-start' {
  const [unit, value] = onlyMember(rules.duration);
  if (unit === 'Scheduled') return scheduledEnd(value, { fromMs, sinceMs }, start);
  const lengthMs = Number(value) * (unitsMs[unit] ?? Number.NaN);
  if (!(lengthMs > 0)) throw new Disagreement('config', 'the duration of a round cannot be read');
  const earliest = fromMs + Math.floor(Math.max(0, sinceMs - fromMs) / lengthMs) * lengthMs;
  const isOnGrid = start >= earliest && (start - fromMs) % lengthMs === 0;
  return isOnGrid ? start + lengthMs : 'wrong-start';
}

function scheduledEnd(
  value: unknown,
  { fromMs, sinceMs }: RoundOrigin,
  start: number,
): number | null | 'wrong-start' {
  const moments = (value as Members | null)?.timestamps_end;
  if (!Array.isArray(moments)) throw new Disagreement('config', 'the schedule of rounds cannot be read');
  const ends = moments.map(Number).filter((each) => each > fromMs);
  const passed = ends.filter((each) => each <= sinceMs);
  const earliest = passed.at(-1) ?? fromMs;
  if (start < earliest || (start !== fromMs && !ends.includes(start))) return 'wrong-start';
  return ends.find((each) => each > start) ?? null;
}

function onlyMember(json: unknown): readonly [string, unknown] {
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  const present = members.filter(([, value]) => value !== null);
  if (present.length !== 1) throw new Disagreement('config', 'the duration of a round cannot be read');
  return present[0]!;
}

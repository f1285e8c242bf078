import type { PotTypeKind } from '../../../src/messages/kinds.ts';
import type { Random } from '../mixed/random.ts';
import type { OraclePot } from './instance.ts';
import { amount, largest, smallest } from './numbers.ts';
import { type Json, maxOf } from './rules.ts';

const dayMs = 86_400_000;

/** Where a Time trigger stands: its window, the last contribution evaluated in it, the end of the one it last paid. */
export interface TimeState {
  /** Its parameters, by which a changed configuration finds it again. */
  readonly times: string;
  window: { readonly start: number; readonly end: number } | null;
  last: number | null;
  paidEnd: number | null;
}

/** Chooses the windows of the cycle that begins at `nowMs`: the first that ends after it and was not paid. */
export function openWindows(pot: OraclePot, nowMs: number): void {
  const ended = pot.times.filter((each) => each !== null);
  let place = 0;
  pot.times = ((pot.document.pot_types ?? []) as Json[]).map((type) => {
    if (type.Time === undefined) return null;
    const times = `${type.Time.start_time}-${type.Time.end_time}`;
    const before = ended.find((each) => each.times === times) ?? ended[place];
    place += 1;
    const paidEnd = before?.paidEnd ?? null;
    const window = firstWindow(type.Time, Math.max(nowMs, paidEnd ?? 0));
    const goesOn = window !== null && window.end === before?.window?.end;
    return { times, window, last: goesOn ? before!.last : null, paidEnd };
  });
}

function firstWindow({ start_time, end_time }: Json, afterMs: number) {
  if (start_time >= dayMs || end_time >= dayMs) {
    return end_time > afterMs ? { start: start_time, end: end_time } : null;
  }
  const today = Math.floor(afterMs / dayMs) * dayMs;
  const midnight = today + end_time > afterMs ? today : today + dayMs;
  return { start: midnight + start_time, end: midnight + end_time };
}

/** What a trigger is evaluated on. */
interface Draw {
  readonly pot: OraclePot;
  readonly trigger: number;
  /** The pot's value at the draw before. */
  readonly before: bigint;
  readonly c: bigint;
  readonly nowMs: number;
  /** When the instance was resumed last. */
  readonly resumedMs: number | null;
}

type Odds = readonly [num: bigint, den: bigint];

interface PotType {
  /** Parameters for a random history. */
  sample(random: Random): Json;
  /** docs/rules/triggers.md "Pot types"; null: it is not evaluated. */
  odds(parameters: Json, draw: Draw): Odds | null;
}

export const potTypes: Readonly<Record<PotTypeKind, PotType>> = {
  HitRate: {
    sample: (random) =>
      random.pick(
        { max_magic_number: 12, cost_per_attempt: '0.1' },
        { max_magic_number: 5, cost_per_attempt: '0.4' },
        { max_magic_number: 20, cost_per_attempt: '0.25' },
        { max_magic_number: 30, cost_per_attempt: '1' },
      ),
    odds: ({ max_magic_number, cost_per_attempt }, { c }) => [
      c,
      BigInt(max_magic_number) * amount(cost_per_attempt),
    ],
  },
  Threshold: {
    sample: (random) =>
      random.pick({ min_value: '6', max_value: '7.5' }, { min_value: '5.5', max_value: '30' }),
    odds({ min_value, max_value }, { pot, before }) {
      const from = largest(before, amount(min_value));
      return [pot.accounts.current - from, amount(max_value) - from];
    },
  },
  Time: {
    sample: (random) =>
      random.pick(
        { start_time: 0, end_time: 86_399_999 },
        { start_time: 3_600_000, end_time: 9_000_000 },
        { start_time: 80_000_000, end_time: 80_600_000 },
        { start_time: 1_700_000_000_000, end_time: 1_700_080_000_000 },
      ),
    odds(_, { pot, trigger, nowMs, resumedMs }) {
      const time = pot.times[trigger];
      if (time === null || time === undefined || time.window === null) return null;
      const from = Math.max(time.window.start, time.last ?? 0, pot.cycleStart, resumedMs ?? 0);
      time.last = nowMs;
      return [BigInt(nowMs - from), BigInt(time.window.end - from)];
    },
  },
  External: { sample: () => ({}), odds: () => null },
};

/** num and den of a trigger; null: it is not evaluated. */
export function oddsOf(draw: Draw): Odds | null {
  const [kind, parameters] = Object.entries(draw.pot.document.pot_types[draw.trigger] as Json)[0]!;
  return potTypes[kind as PotTypeKind].odds(parameters, draw);
}

/** Up to where contributions feed a pot; null: without end. */
export function capOf(document: Json): bigint | null {
  const bounds = thresholds(document).map((each) => amount(each.max_value));
  return lowest([maxOf(document), ...bounds]);
}

/** Up to where a reseed fills a pot; null: without end. */
export function reseedCapOf(document: Json): bigint | null {
  const bounds = thresholds(document).map((each) => amount(each.min_value));
  return lowest([capOf(document), ...bounds]);
}

export function thresholds(document: Json): Json[] {
  return ((document.pot_types ?? []) as Json[]).flatMap((type) => type.Threshold ?? []);
}

function lowest(bounds: readonly (bigint | null)[]): bigint | null {
  const [first, ...rest] = bounds.filter((each) => each !== null);
  return first === undefined ? null : smallest(first, ...rest);
}

import type { OraclePot } from './instance.ts';
import { amount, largest, smallest } from './numbers.ts';
import { type Json, maximumOf } from './rules.ts';

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

/** num and den of a trigger (docs/rules/triggers.md "Pot types"); null: it is not evaluated. */
export function oddsOf(
  pot: OraclePot,
  trigger: number,
  before: bigint,
  c: bigint,
  nowMs: number,
): readonly [num: bigint, den: bigint] | null {
  const type = pot.document.pot_types[trigger] as Json;
  if (type.HitRate !== undefined) {
    return [c, BigInt(type.HitRate.max_magic_number) * amount(type.HitRate.cost_per_attempt)];
  }
  if (type.Threshold !== undefined) {
    const from = largest(before, amount(type.Threshold.min_value));
    return [pot.accounts.current - from, amount(type.Threshold.max_value) - from];
  }
  const time = pot.times[trigger];
  if (time === null || time === undefined || time.window === null) return null;
  const from = Math.max(time.window.start, time.last ?? 0);
  time.last = nowMs;
  return [BigInt(nowMs - from), BigInt(time.window.end - from)];
}

/** Up to where contributions feed a pot; null: without end. */
export function capOf(document: Json): bigint | null {
  const bounds = thresholds(document).map((each) => amount(each.max_value));
  return lowest([maximumOf(document), ...bounds]);
}

/** Up to where a reseed fills a pot; null: without end. */
export function reseedCapOf(document: Json): bigint | null {
  const bounds = thresholds(document).map((each) => amount(each.min_value));
  return lowest([capOf(document), ...bounds]);
}

function thresholds(document: Json): Json[] {
  return ((document.pot_types ?? []) as Json[]).flatMap((type) => type.Threshold ?? []);
}

function lowest(bounds: readonly (bigint | null)[]): bigint | null {
  const [first, ...rest] = bounds.filter((each) => each !== null);
  return first === undefined ? null : smallest(first, ...rest);
}

import type { Members } from './shape.ts';

const dayMs = 86_400_000;

/** The state of a Time trigger of a pot. */
export interface TimeState {
  /** Its parameters when its window was chosen, by which it is found again. */
  readonly startTime: number;
  readonly endTime: number;
  end: number | null;
  lastEvaluated: number | null;
  paidEnd: number | null;
}

/** The window of a new cycle: the first that ends after the cycle began and that this trigger has not paid yet. */
export function openWindow(parameters: Members, before: TimeState | null, nowMs: number): TimeState {
  const startTime = Number(parameters.start_time);
  const endTime = Number(parameters.end_time);
  const paidEnd = before?.paidEnd ?? null;
  const end = firstEndAfter(startTime, endTime, Math.max(nowMs, paidEnd ?? 0));
  const goesOn = before !== null && end !== null && before.end === end;
  return { startTime, endTime, end, lastEvaluated: goesOn ? before.lastEvaluated : null, paidEnd };
}

/** When the window that ends at `end` begins. */
export function startOf({ startTime, endTime }: TimeState, end: number): number {
  return isDaily(startTime, endTime) ? end - endTime + startTime : startTime;
}

function firstEndAfter(startTime: number, endTime: number, afterMs: number): number | null {
  if (!isDaily(startTime, endTime)) return endTime > afterMs ? endTime : null;
  const today = Math.floor(afterMs / dayMs) * dayMs + endTime;
  return today > afterMs ? today : today + dayMs;
}

/** Below a day both are times of the UTC day, every day; else moments, once. */
function isDaily(startTime: number, endTime: number): boolean {
  return startTime < dayMs && endTime < dayMs;
}

import type { SessionJackpot, SessionPot } from '../session/shapes.ts';

const dayMs = 86_400_000;

/** When something must have happened, and what. */
export interface Deadline {
  readonly atMs: number;
  readonly words: string;
}

/** The next moment that a jackpot's players wait for; null: it has none. */
export function deadlineOf(jackpot: SessionJackpot, nowMs: number): Deadline | null {
  const all: Deadline[] = [];
  if (jackpot.round_end !== null) all.push({ atMs: jackpot.round_end, words: 'Draw' });
  for (const pot of jackpot.pots) {
    const atMs = windowEndMs(pot, nowMs);
    if (atMs !== null) all.push({ atMs, words: 'Must drop' });
  }
  if (jackpot.timestamp_end !== null) all.push({ atMs: jackpot.timestamp_end, words: 'Ends' });
  const ahead = all.filter(({ atMs }) => atMs > nowMs).sort((first, second) => first.atMs - second.atMs);
  return ahead[0] ?? null;
}

/** A window below a day comes back every UTC day, another one is there once; a window pays once. */
function windowEndMs({ window, last_win }: SessionPot, nowMs: number): number | null {
  if (window === null) return null;
  if (window.end_time >= dayMs) return (last_win ?? 0) > window.start_time ? null : window.end_time;
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const isPaid = (last_win ?? 0) > today + window.start_time;
  return isPaid || today + window.end_time <= nowMs
    ? today + dayMs + window.end_time
    : today + window.end_time;
}

/** `2 d 4 h`, `3 h 05 min`, `4:09`. */
export function timeLeft(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours >= 1) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

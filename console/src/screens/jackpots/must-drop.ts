import { type Amount, moneyText } from '../../parts/decimals.ts';
import { dayMs } from '../reports/days.ts';

interface Pot {
  readonly id: string;
  readonly enabled: boolean;
  readonly current_value: Amount;
  readonly pot_types: readonly (
    | { readonly Threshold: { readonly max_value: Amount } }
    | { readonly Time: { readonly end_time: number } }
    | object
  )[];
}

export interface MustDrop {
  readonly pot: string;
  /** The value at which it has dropped; null: it is a time. */
  readonly atValue: Amount | null;
  readonly atMs: number | null;
  /** How much of the way to the value is done, to sort by. */
  readonly progress: number;
}

/**
 * The next end of a window (docs/rules/triggers.md "Time"): below a day it is that of every UTC day, else a timestamp,
 * also one that has passed. A daily window that was won already ends a day later; instances do not show which were.
 */
export function windowEndMs(endTime: number, nowMs: number): number {
  if (endTime >= dayMs) return endTime;
  const today = nowMs - (nowMs % dayMs) + endTime;
  return today > nowMs ? today : today + dayMs;
}

/** The pots that have to drop, by a time first, then those that are nearest to their value. */
export function mustDropsOf(pots: readonly Pot[], nowMs = Date.now()): readonly MustDrop[] {
  return pots
    .filter(({ enabled }) => enabled)
    .flatMap(({ id, current_value, pot_types }) =>
      pot_types.flatMap((type): MustDrop[] => {
        if ('Threshold' in type) {
          const { max_value } = type.Threshold;
          const progress = Number(current_value) / Number(max_value);
          return [{ pot: id, atValue: max_value, atMs: null, progress }];
        }
        if (!('Time' in type)) return [];
        return [{ pot: id, atValue: null, atMs: windowEndMs(type.Time.end_time, nowMs), progress: 0 }];
      }),
    )
    .toSorted(
      (one, other) => (one.atMs ?? Infinity) - (other.atMs ?? Infinity) || other.progress - one.progress,
    );
}

/** For an export. */
export function mustDropText({ pot, atValue, atMs }: MustDrop, currency: string): string {
  return atMs === null
    ? `${pot} by ${moneyText(atValue ?? '', currency, 'en')}`
    : `${pot} by ${new Date(atMs).toISOString()}`;
}

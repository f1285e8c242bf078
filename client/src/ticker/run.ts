/**
 * The way from the value that is shown to a newer one. It never shows more than the newer: an amount that runs ahead
 * would promise what nobody has paid in.
 */
export interface Run {
  readonly fromUnits: bigint;
  readonly toUnits: bigint;
  readonly startMs: number;
}

export interface Shown {
  readonly units: bigint;
  /** How far the last digit is on its way to the next one; below 1. */
  readonly fraction: number;
}

/** A little more than the second between two updates, so that a pot that fills is never seen to wait. */
export const runMs = 1200;
const steps = 1_000_000;

/** A win takes a pot down, and then the old value must be gone at once: only a rise has a way. */
export function runTo(shown: Shown, toUnits: bigint, startMs: number): Run {
  return { fromUnits: toUnits > shown.units ? shown.units : toUnits, toUnits, startMs };
}

export function shownAt({ fromUnits, toUnits, startMs }: Run, nowMs: number): Shown {
  const done = Math.min(1, Math.max(0, (nowMs - startMs) / runMs));
  const passed = (toUnits - fromUnits) * BigInt(Math.floor(done * steps));
  const whole = passed / BigInt(steps);
  return { units: fromUnits + whole, fraction: Number(passed % BigInt(steps)) / steps };
}

/**
 * Where each wheel of the counter stands, from the highest digit to the lowest: 3.5 is half way from 3 to 4. A wheel
 * moves only while the one to its right goes from 9 to 0, so what can be read is never above `units`.
 */
export function wheels({ units, fraction }: Shown, count: number): readonly number[] {
  let carry = fraction;
  const places: number[] = [];
  for (const digit of [...String(units).padStart(count, '0')].reverse()) {
    const place = Number(digit) + carry;
    places.unshift(place);
    carry = Math.max(0, place - 9);
  }
  return places;
}

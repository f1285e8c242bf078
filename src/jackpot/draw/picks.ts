import { HALF } from '../../lib/wide.ts';
import type { Hashing } from '../hashing.ts';
import type { Odds } from '../kinds/pot-types/trigger.ts';
import type { Instance } from '../state/instance.ts';
import { keyOf } from './epoch.ts';
import { streamKey } from './keys.ts';
import { Lanes } from './lanes.ts';

const odds: Odds = { numHigh: 0, numLow: 0, denHigh: 0, denLow: 0 };

/** The key stream of a win's community (purpose 2) or of a round's end (purpose 3): its inputs are empty. */
export function picksOf(
  hashing: Hashing,
  instance: Instance,
  purpose: number,
  sequence: number,
  expectedLanes: number,
): Lanes {
  const key = streamKey(
    hashing,
    keyOf(hashing, instance),
    purpose,
    instance.idHash,
    instance.epochs.current,
    sequence,
    hashing.sha256(),
  );
  return new Lanes(hashing, key, expectedLanes);
}

/**
 * Places of min(wanted, count) of `count` candidates, from 0, in the order they are picked: partial Fisher–Yates, each
 * step takes at least a lane. Only places that were moved are kept: there may be millions of candidates.
 */
export function pick(lanes: Lanes, count: number, wanted: number): readonly number[] {
  const moved = new Map<number, number>();
  const picked: number[] = [];
  for (let step = 0; step < Math.min(wanted, count); step++) {
    const from = step + below(lanes, count - step);
    picked.push(moved.get(from) ?? from);
    moved.set(from, moved.get(step) ?? step);
    moved.delete(step);
  }
  return picked;
}

/** Uniform(limit), for limits up to 2^53. */
function below(lanes: Lanes, limit: number): number {
  odds.denHigh = Math.floor(limit / HALF);
  odds.denLow = limit % HALF;
  lanes.uniform(odds);
  return lanes.high * HALF + lanes.low;
}

import { half } from '../../../lib/wide.ts';
import type { Keystream, Odds } from '../../state/configuration/trigger.ts';
import type { Hashing } from '../../state/hashing/hashing.ts';
import type { Instance } from '../../state/instance/instance.ts';
import { keyOfEpoch, streamKey } from './keys.ts';
import { KeystreamWords } from './keystream-words.ts';

const odds: Odds = { numHigh: 0, numLow: 0, denHigh: 0, denLow: 0 };

/** The keystream of a win's community (purpose 2) or of a round's end (purpose 3): its inputs are empty. */
export function picksOf(
  hashing: Hashing,
  instance: Instance,
  purpose: number,
  sequence: number,
  expectedWords: number,
): KeystreamWords {
  const key = streamKey(
    hashing,
    keyOfEpoch(hashing, instance),
    purpose,
    instance.idHash,
    instance.epochs.current,
    sequence,
    hashing.sha256(),
  );
  return new KeystreamWords(hashing, key, expectedWords);
}

/**
 * Places of min(wanted, count) of `count` candidates, from 0, in the order they are picked: partial Fisher–Yates, each
 * step takes at least a lane. Only places that were moved are kept: there may be millions of candidates.
 */
export function pick(keystream: Keystream, count: number, wanted: number): readonly number[] {
  const moved = new Map<number, number>();
  const picked: number[] = [];
  for (let step = 0; step < Math.min(wanted, count); step++) {
    const from = step + below(keystream, count - step);
    picked.push(moved.get(from) ?? from);
    moved.set(from, moved.get(step) ?? step);
    moved.delete(step);
  }
  return picked;
}

/** Uniform(limit), for limits up to 2^53. */
function below(keystream: Keystream, limit: number): number {
  odds.denHigh = Math.floor(limit / half);
  odds.denLow = limit % half;
  keystream.uniform(odds);
  return keystream.high * half + keystream.low;
}

import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyRing } from '../../ports/actor-ports.ts';
import { KeyRingError, keyRingFile, mergeKeyRings, readKeyRing, requireKeyRing } from './key-ring.ts';

/** Where the keys that seal draw seeds are, and where they were before they had a directory of their own. */
type DrawKeyPlaces = {
  /** Read by actors alone. */
  readonly drawKeys: string;
  /** `<data>/keys`: gateways and the wallet role read what else is there. */
  readonly keys: string;
};

/**
 * Moves the key ring to where only actors read it. If this is interrupted, the keys are in one place or in
 * both, and the next start continues. If both places have keys, as after a start of an older version, the new
 * place gets all of them.
 */
export function moveDrawKeys({ drawKeys, keys }: DrawKeyPlaces): void {
  const from = join(keys, keyRingFile);
  if (drawKeys === keys || !existsSync(from)) return;
  mkdirSync(drawKeys, { recursive: true, mode: 0o700 });
  const to = join(drawKeys, keyRingFile);
  try {
    if (existsSync(to)) mergeKeyRings(from, to);
    else renameSync(from, to);
  } catch (error) {
    // On another disk nothing is moved in one step.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    mergeKeyRings(from, to);
  }
}

/** For a log with messages, before the keys were moved. @throws KeyRingError where they are in no place */
export function requireDrawKeys({ drawKeys, keys }: DrawKeyPlaces): void {
  requireKeyRing(existsSync(join(keys, keyRingFile)) ? keys : drawKeys);
}

/** The keys as they are, for who only looks. @throws KeyRingError */
export function readDrawKeys({ drawKeys, keys }: DrawKeyPlaces): Pick<KeyRing, 'unseal'> | null {
  const rings = [drawKeys, keys].flatMap((place) => readKeyRing(place) ?? []);
  const [first] = rings;
  if (first === undefined) return null;
  return {
    unseal(keyId, sealed) {
      const last = rings.at(-1) as typeof first;
      for (const ring of rings.slice(0, -1)) {
        try {
          return ring.unseal(keyId, sealed);
        } catch (error) {
          // The other place may have the key.
          if (!(error instanceof KeyRingError)) throw error;
        }
      }
      return last.unseal(keyId, sealed);
    },
  };
}

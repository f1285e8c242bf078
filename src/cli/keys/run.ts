import {
  createKeyRing,
  KeyRingError,
  openKeyRing,
  requireKeyRing,
  type SharedKeyRing,
} from '../../actors/epochs/keys/key-ring.ts';
import { systemRandom } from '../../wiring.ts';

interface Output {
  readonly write: (text: string) => void;
  readonly print: (line: string) => void;
}

/** `potstream keys create`: the exit code. */
export function createDrawKeys(directory: string, { print }: Output): number {
  if (createKeyRing(directory, systemRandom)) return 0;
  print(`${directory} has a key ring already, which stays as it is.`);
  return 1;
}

/** `potstream keys rotate`: the exit code. */
export function rotateDrawKeys(directory: string, output: Output): number {
  return withRing(directory, output, (ring) => {
    ring.rotate();
    output.write(`${ring.currentKeyId}\n`);
  });
}

/** `potstream keys list`: the exit code. */
export function listKeys(directory: string, output: Output): number {
  return withRing(directory, output, (ring) => {
    for (const keyId of ring.keyIds())
      output.write(`${keyId}${keyId === ring.currentKeyId ? '  newest' : ''}\n`);
  });
}

function withRing(directory: string, { print }: Output, work: (ring: SharedKeyRing) => void): number {
  try {
    requireKeyRing(directory);
    work(openKeyRing(directory, systemRandom));
    return 0;
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error;
    print(error.message);
    return 1;
  }
}

import { equalBytes, fromHex } from '../../lib/bytes.ts';
import { recordHead } from '../../messages/codec/record-head.ts';
import { isUnreadable, type Log } from '../../ports.ts';
import type { WitnessedHead } from '../ports/witness.ts';

/** Positions of a replay at which its lane head is compared with the stored one, beside the last. */
const samplesPerReplay = 8;

type HeadCheck = 'equal' | 'different' | 'not_checked';

/**
 * Compares a replay with the OUT records of the same sequences. A lane head depends on every record before
 * it, so the last one proves all; those before it say earlier that a replay went astray.
 */
export class HeadChecks {
  readonly #expected: ReadonlyMap<number, Uint8Array>;

  private constructor(expected: ReadonlyMap<number, Uint8Array>) {
    this.#expected = expected;
  }

  /** Heads for a replay of `from` to `to`, OUT's last, and `witnessed` ones. Leaves out damaged records. */
  static async read(
    log: Pick<Log, 'readOutcome'>,
    lane: number,
    from: number,
    to: number,
    witnessed: readonly WitnessedHead[] = [],
  ): Promise<HeadChecks> {
    const expected = new Map<number, Uint8Array>();
    for (const { sequence, head } of witnessed) expected.set(sequence, fromHex(head));
    for (const sequence of samplePositions(from, to)) {
      const stored = await log.readOutcome(lane, sequence);
      const laneHead = stored === null ? null : storedHead(stored.bytes);
      if (laneHead !== null) expected.set(sequence, laneHead);
    }
    return new HeadChecks(expected);
  }

  check(sequence: number, laneHead: Uint8Array): HeadCheck {
    const expected = this.#expected.get(sequence);
    if (expected === undefined) return 'not_checked';
    return equalBytes(expected, laneHead) ? 'equal' : 'different';
  }
}

/** A damaged record proves nothing, and the commands make it anew. */
function storedHead(bytes: Uint8Array): Uint8Array | null {
  try {
    return recordHead(bytes)?.laneHead ?? null;
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** `from`, `to` and evenly between them. */
export function samplePositions(from: number, to: number): number[] {
  if (to < 1) return [];
  const step = Math.max(1, Math.ceil((to - from) / samplesPerReplay));
  const positions = new Set<number>();
  for (let sequence = Math.max(from, 1); sequence < to; sequence += step) positions.add(sequence);
  return [...positions, to];
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SnapshotEncoder } from '../../../../src/actors/recovery/snapshots/format.ts';
import { readInParts } from '../../../../src/actors/recovery/snapshots/parts.ts';
import { expendableSnapshots } from '../../../../src/actors/recovery/snapshots/upload.ts';
import { samplePositions } from '../../../../src/actors/witness/head-checks.ts';
import { parseSnapshotFileName, snapshotFileName } from '../../../../src/log/archive/snapshot-names.ts';

const dayMs = 86_400_000;
const header = {
  lane: 3,
  sequence: 2 ** 40 + 1,
  timestampMs: 1_700_000_000_123,
  laneHead: new Uint8Array(32).fill(5),
};

function encoded(chunks: readonly Uint8Array[]): Buffer {
  const encoder = new SnapshotEncoder();
  const prologue = encoder.begin(header);
  const framed = chunks.flatMap((chunk) => [encoder.frame(chunk), chunk]);
  // Its parts are made in order: the checksum at the end covers them.
  return Buffer.concat([prologue, ...framed, encoder.end()]);
}

/** Cut at any places. */
async function* cut(bytes: Uint8Array, places: readonly number[]): AsyncIterable<Uint8Array> {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let at = 0;
  for (const end of ends) {
    yield bytes.subarray(at, end);
    at = end;
  }
}

describe('a snapshot that is read in parts', () => {
  const chunkLists = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 });
  const places = fc.array(fc.nat(), { maxLength: 8 });

  it('is the same wherever it was cut', async () => {
    await fc.assert(
      fc.asyncProperty(chunkLists, places, async (chunks, cuts) => {
        const whole = encoded(chunks);
        const snapshot = (await readInParts(cut(whole, cuts)))!;
        const { chunks: read, ...facts } = snapshot;
        expect(facts).toEqual({ ...header });
        expect([...read].map((chunk) => [...chunk])).toEqual(chunks.map((chunk) => [...chunk]));
      }),
    );
  });

  it('is refused torn anywhere and with any bit changed', async () => {
    await fc.assert(
      fc.asyncProperty(chunkLists, places, fc.nat(), async (chunks, cuts, position) => {
        const whole = encoded(chunks);
        expect(await readInParts(cut(whole.subarray(0, position % whole.length), cuts))).toBeNull();
        const changed = Buffer.from(whole);
        changed[position % whole.length]! ^= 1 << (position % 8);
        expect(await readInParts(cut(changed, cuts))).toBeNull();
      }),
    );
  });
});

describe('snapshots that are kept', () => {
  it('are the newest three and the newest of each day while the log is kept', () => {
    const at = (sequence: number, day: number) => ({ sequence, timestampMs: day * dayMs + sequence });
    const all = [at(1, 0), at(2, 0), at(3, 1), at(4, 1), at(5, 2), at(6, 2), at(7, 2), at(8, 2)];
    const removed = expendableSnapshots(all, 2 * dayMs + 100, 35 * dayMs).map(({ sequence }) => sequence);
    expect(removed.sort()).toEqual([1, 3, 5]);
    const later = expendableSnapshots(all, 37 * dayMs, 35 * dayMs).map(({ sequence }) => sequence);
    expect(later.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('have names that sort by sequence and read back', () => {
    const name = { sequence: 12_345, timestampMs: 1_700_000_000_000 };
    expect(parseSnapshotFileName(snapshotFileName(name))).toEqual(name);
    expect(parseSnapshotFileName('draft')).toBeNull();
    expect(snapshotFileName({ ...name, sequence: 9 }) < snapshotFileName(name)).toBe(true);
  });
});

describe('positions at which a replay is compared', () => {
  it('are a bounded number between its ends, both included', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (from, length) => {
        fc.pre(from + length > 0);
        const positions = samplePositions(from, from + length);
        expect(positions.length).toBeLessThanOrEqual(10);
        expect(positions.at(-1)).toBe(from + length);
        expect(positions[0]).toBe(Math.max(1, from));
      }),
    );
  });

  it('are none where there is nothing to compare', () => {
    expect(samplePositions(0, 0)).toEqual([]);
  });
});

import type { SnapshotDraft, SnapshotHeader, SnapshotStore } from '../../src/actors/ports/snapshot-store.ts';
import { newestSnapshotFirst, type SnapshotName } from '../../src/log/archive/snapshot-names.ts';

interface Kept extends SnapshotName {
  readonly lane: number;
  readonly bytes: Uint8Array;
}

/** The snapshots of one machine: they outlive its processes. A process that is not alive keeps nothing more. */
export class MemorySnapshots {
  #recordStored: Kept[] = [];
  /** Called with the bytes of each snapshot once it is visible. */
  committed: (lane: number, sequence: number, bytes: Uint8Array) => void = () => {};

  /** As one process sees them. */
  of(alive: () => boolean): SnapshotStore {
    return {
      list: async (lane) => this.#recordStored.filter((each) => each.lane === lane).sort(newestSnapshotFirst),
      read: async (lane, name) => this.#find(lane, name)?.bytes ?? null,
      readParts: async (lane, name) => {
        const bytes = this.#find(lane, name)?.bytes;
        return bytes === undefined ? null : partsOf(bytes);
      },
      create: async (header) => this.#draft(header, alive),
      remove: async (lane, name) => {
        const found = this.#find(lane, name);
        if (alive()) this.#recordStored = this.#recordStored.filter((each) => each !== found);
      },
    };
  }

  get count(): number {
    return this.#recordStored.length;
  }

  /** A power loss or a bad disk: of the newest snapshot this part is left. */
  tear(part: number): void {
    const [newest] = this.#recordStored.toSorted(newestSnapshotFirst);
    if (newest === undefined) return;
    const bytes = newest.bytes.subarray(0, Math.floor(part * newest.bytes.length));
    this.#recordStored = this.#recordStored.map((each) => (each === newest ? { ...each, bytes } : each));
  }

  /** Of a lane's snapshots, in the order in which they were kept. */
  sequences(lane: number): number[] {
    return this.#recordStored.filter((each) => each.lane === lane).map(({ sequence }) => sequence);
  }

  #draft({ lane, sequence, timestampMs }: SnapshotHeader, alive: () => boolean): SnapshotDraft {
    const parts: Uint8Array[] = [];
    return {
      write: async (bytes) => void parts.push(bytes.slice()),
      hurry: () => {},
      commit: async () => {
        if (!alive()) return;
        const bytes = Buffer.concat(parts);
        this.#recordStored.push({ lane, sequence, timestampMs, bytes });
        this.committed(lane, sequence, bytes);
      },
      discard: async () => void parts.splice(0),
    };
  }

  #find(lane: number, name: SnapshotName): Kept | undefined {
    return this.#recordStored.find((each) => each.lane === lane && each.sequence === name.sequence);
  }
}

const partBytes = 64 * 1024;

async function* partsOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

import { crc32 } from 'node:zlib';
import { concatenate } from '../../../lib/bytes.ts';
import { LoopTurn } from '../../../lib/turns.ts';
import type { SnapshotHeader } from '../../ports/snapshot-store.ts';
import { endMark, epilogueBytes, frameHeaderBytes, prologueBytes, readPrologue } from './format.ts';

/** The checksum of this much takes about a millisecond. */
const partBytes = 4 * 1024 * 1024;

/** A whole snapshot whose chunks can be read once: what was read is released. */
export interface SnapshotChunks extends SnapshotHeader {
  readonly chunks: Iterable<Uint8Array>;
}

/**
 * Reads a snapshot that comes in parts, and checks each while the next one is on its way; other work of the
 * process has its turn meanwhile. Null where the bytes are torn or altered.
 */
export async function readInParts(
  parts: AsyncIterable<Uint8Array>,
  turn: LoopTurn = new LoopTurn(),
): Promise<SnapshotChunks | null> {
  const covered: Uint8Array[] = [];
  let crc = 0;
  // The checksum does not cover the last bytes: they wait until more follow.
  let waiting = new Uint8Array(0);
  const cover = (bytes: Uint8Array): void => {
    crc = crc32(bytes, crc);
    if (bytes.length > 0) covered.push(bytes);
  };
  turn.begin();
  for await (const part of parts) {
    const isLong = part.length >= epilogueBytes;
    if (isLong) cover(waiting);
    const known = isLong ? part : concatenate([waiting, part]);
    const end = Math.max(0, known.length - epilogueBytes);
    cover(known.subarray(0, end));
    waiting = new Uint8Array(known.subarray(end));
    if (turn.isOver) await turn.next();
  }
  if (waiting.length < epilogueBytes) return null;
  const epilogue = new DataView(waiting.buffer);
  if (epilogue.getUint32(0) !== endMark || epilogue.getUint32(frameHeaderBytes) !== crc) return null;
  const bytes = new PartedBytes(covered);
  const header = bytes.length < prologueBytes ? null : readPrologue(bytes.take(prologueBytes));
  return header === null ? null : { ...header, chunks: chunksOf(bytes) };
}

/** The same of the snapshot that a lane has after `sequence`; null for another one too. */
export async function readSnapshotOf(
  lane: number,
  sequence: number,
  parts: AsyncIterable<Uint8Array>,
  turn: LoopTurn,
): Promise<SnapshotChunks | null> {
  const snapshot = await readInParts(parts, turn);
  return snapshot?.lane === lane && snapshot.sequence === sequence ? snapshot : null;
}

/** The checksum is right, but the bytes were broken before it was made. */
export class BrokenFrames extends Error {}

/** Bytes that are in memory, as parts. */
export async function* partsOfBytes(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

/** @throws BrokenFrames where one is longer than the rest */
function* chunksOf(bytes: PartedBytes): Iterable<Uint8Array> {
  while (bytes.length > 0) {
    const header = bytes.take(frameHeaderBytes);
    yield bytes.take(new DataView(header.buffer, header.byteOffset).getUint32(0));
  }
}

/** Bytes in parts, taken from the front. A part is released once it was taken. */
class PartedBytes {
  readonly #parts: Uint8Array[];
  #part = 0;
  #at = 0;
  #length: number;

  constructor(parts: Uint8Array[]) {
    this.#parts = parts;
    this.#length = parts.reduce((sum, { length }) => sum + length, 0);
  }

  get length(): number {
    return this.#length;
  }

  /** The next bytes: a view of their part, or a copy where they are of several. */
  take(count: number): Uint8Array {
    if (count > this.#length) throw new BrokenFrames('a snapshot ends early');
    this.#length -= count;
    const part = this.#parts[this.#part];
    if (part !== undefined && part.length - this.#at >= count) return this.#view(part, count);
    const taken = new Uint8Array(count);
    for (let filled = 0; filled < count; ) {
      const from = this.#parts[this.#part]!;
      const bytes = this.#view(from, Math.min(count - filled, from.length - this.#at));
      taken.set(bytes, filled);
      filled += bytes.length;
    }
    return taken;
  }

  #view(part: Uint8Array, count: number): Uint8Array {
    // Not a Buffer: its `slice` would not copy.
    const view = new Uint8Array(part.buffer, part.byteOffset + this.#at, count);
    this.#at += count;
    if (this.#at === part.length) {
      this.#parts[this.#part] = new Uint8Array(0);
      this.#part += 1;
      this.#at = 0;
    }
    return view;
  }
}

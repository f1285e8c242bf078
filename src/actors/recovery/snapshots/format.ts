import { crc32 } from 'node:zlib';
import { finish, type Steps } from '../../../lib/turns.ts';
import type { SnapshotHeader } from '../../ports/snapshot-store.ts';

const magic = Buffer.from('POTSNAP1', 'latin1');
const headBytes = 32;
export const prologueBytes = magic.length + 4 + 8 + 8 + headBytes;
export const frameHeaderBytes = 4;
export const endMark = 0xffff_ffff;
export const epilogueBytes = 8;
const crcStepBytes = 2 ** 22;

export interface Snapshot extends SnapshotHeader {
  readonly chunks: readonly Uint8Array[];
}

/**
 * Turns the chunks of a snapshot into bytes, one part after the other: prologue, a length before each chunk,
 * and an end mark with the CRC-32 of everything before it. A file that was not written to its end has no
 * valid end mark.
 */
export class SnapshotEncoder {
  #crc = 0;

  begin(header: SnapshotHeader): Uint8Array {
    const prologue = Buffer.alloc(prologueBytes);
    let at = magic.copy(prologue);
    at = prologue.writeUInt32BE(header.lane, at);
    at = prologue.writeBigUInt64BE(BigInt(header.sequence), at);
    at = prologue.writeBigUInt64BE(BigInt(header.timestampMs), at);
    prologue.set(header.laneHead, at);
    return this.#counted(prologue);
  }

  /** What is written before a chunk; the chunk itself is written as it is, without another copy of it. */
  frame(chunk: Uint8Array): Uint8Array {
    const length = Buffer.allocUnsafe(frameHeaderBytes);
    length.writeUInt32BE(chunk.length, 0);
    this.#counted(length);
    this.#crc = crc32(chunk, this.#crc);
    return length;
  }

  end(): Uint8Array {
    const epilogue = Buffer.alloc(epilogueBytes);
    epilogue.writeUInt32BE(endMark, 0);
    epilogue.writeUInt32BE(this.#crc, frameHeaderBytes);
    return epilogue;
  }

  #counted(bytes: Buffer): Buffer {
    this.#crc = crc32(bytes, this.#crc);
    return bytes;
  }
}

/** Null where the bytes are torn or altered. */
export function decodeSnapshot(file: Uint8Array): Snapshot | null {
  return finish(decodeSnapshotInSteps(file));
}

/** The same, some megabytes a step. */
export function* decodeSnapshotInSteps(file: Uint8Array): Steps<Snapshot | null> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const endAt = bytes.length - epilogueBytes;
  const header = endAt < prologueBytes ? null : readPrologue(bytes);
  if (header === null) return null;
  if (bytes.readUInt32BE(endAt) !== endMark) return null;
  let crc = 0;
  for (let at = 0; at < endAt; at += crcStepBytes) {
    crc = crc32(bytes.subarray(at, Math.min(at + crcStepBytes, endAt)), crc);
    yield;
  }
  if (bytes.readUInt32BE(endAt + frameHeaderBytes) !== crc) return null;
  const chunks = readFrames(bytes, endAt);
  return chunks === null ? null : { ...header, chunks };
}

/** What the first bytes of a snapshot say; null where they are not one's. */
export function readPrologue(prologue: Uint8Array): SnapshotHeader | null {
  const bytes = Buffer.from(prologue.buffer, prologue.byteOffset, prologueBytes);
  if (!bytes.subarray(0, magic.length).equals(magic)) return null;
  return {
    lane: bytes.readUInt32BE(8),
    sequence: Number(bytes.readBigUInt64BE(12)),
    timestampMs: Number(bytes.readBigUInt64BE(20)),
    laneHead: new Uint8Array(bytes.subarray(28, 28 + headBytes)),
  };
}

function readFrames(bytes: Buffer, endAt: number): Uint8Array[] | null {
  const chunks: Uint8Array[] = [];
  let at = prologueBytes;
  while (at < endAt) {
    const start = at + frameHeaderBytes;
    if (start > endAt) return null;
    at = start + bytes.readUInt32BE(at);
    if (at > endAt) return null;
    // Not a Buffer: its `slice` would not copy.
    chunks.push(new Uint8Array(bytes.buffer, bytes.byteOffset + start, at - start));
  }
  return chunks;
}

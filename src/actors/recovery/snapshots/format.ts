import { crc32 } from 'node:zlib';
import type { SnapshotHeader } from '../../ports/snapshot-store.ts';

const magic = Buffer.from('POTSNAP1', 'latin1');
const headBytes = 32;
export const prologueBytes = magic.length + 4 + 8 + 8 + headBytes;
export const frameHeaderBytes = 4;
export const endMark = 0xffff_ffff;
export const epilogueBytes = 8;

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

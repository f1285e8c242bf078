import { LogError } from '../../ports.ts';
import { frameWith, storedHeaderBytes, unframeStored } from './frame.ts';

/** MessagePack's types: bytes with a length of one byte, and how many bytes follow the type of a number. */
const bin8 = 0xc4;
const numberWidths: Readonly<Record<number, number>> = {
  ...{ 202: 4, 203: 8, 204: 1, 205: 2, 206: 4, 207: 8 },
  ...{ 208: 1, 209: 2, 210: 4, 211: 8 },
};
const nothing = new Uint8Array(0);

/** The parts of a stored OUT record that the chain of lane heads needs, in every version. */
interface RecordHead {
  readonly sequence: number;
  readonly laneHead: Uint8Array;
  /** The record encoded with an empty lane head: head_n = SHA-256(head_{n−1} ‖ body). */
  readonly body: Uint8Array;
}

/** Reads them; null if the frame holds anything else. @throws LogError `corrupt` if the bytes are damaged */
export function recordHead(frame: Uint8Array): RecordHead | null {
  const raw = unframeStored(frame);
  if (!Array.isArray(raw)) return null;
  const [sequence, , laneHead] = raw as readonly unknown[];
  if (typeof sequence !== 'number' || !(laneHead instanceof Uint8Array)) return null;
  return { sequence, laneHead: new Uint8Array(laneHead), body: withLaneHead(frame, nothing) };
}

/**
 * The same encoded record with another lane head of at most 255 bytes.
 * @throws LogError `corrupt` if it is no record
 */
export function withLaneHead(frame: Uint8Array, laneHead: Uint8Array): Uint8Array {
  const sequenceAt = storedHeaderBytes + 1;
  const timestampAt = sequenceAt + numberBytes(frame[sequenceAt]!);
  const headAt = timestampAt + numberBytes(frame[timestampAt]!);
  if (frame[headAt] !== bin8) throw new LogError('corrupt', 'An outcome record has no lane head.');
  const before = frame.subarray(storedHeaderBytes, headAt);
  const after = frame.subarray(headAt + 2 + frame[headAt + 1]!);
  return frameWith([before, Uint8Array.of(bin8, laneHead.length), laneHead, after]);
}

/** The length in bytes of the MessagePack number that begins with this byte. */
function numberBytes(first: number): number {
  if (first <= 0x7f || first >= 0xe0) return 1;
  const bytes = numberWidths[first];
  if (bytes === undefined) throw new LogError('corrupt', 'An outcome record does not begin with numbers.');
  return 1 + bytes;
}

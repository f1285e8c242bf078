import { Packr, Unpackr } from 'msgpackr';
import { crc32 } from '../../lib/hashes.ts';
import { LogError } from '../../ports.ts';
import { UnknownForm } from './layout.ts';

/**
 * The frames around every message of the log and the bus (docs/rules/log.md "Message format"). Stored
 * messages stay readable for years, so values are positional arrays, without msgpackr's record structures.
 */
export const messageFormatVersion = 1;

export const storedHeaderBytes = 5;
const liveHeaderBytes = 1;

const options = {
  useRecords: false,
  mapsAsObjects: true,
  variableMapSize: true,
  int64AsType: 'bigint',
  useBigIntExtension: true,
} as const;
const packr = new Packr(options);
const unpackr = new Unpackr(options);

/** Frames a value for the log: `[u8 version][u32 big-endian CRC-32 of the payload][payload]`. */
export function frameStored(value: unknown): Uint8Array {
  return frameWith([packr.pack(value)]);
}

/** As frameStored, of a payload that is already packed, in parts. */
export function frameWith(parts: readonly Uint8Array[]): Uint8Array {
  let length = storedHeaderBytes;
  for (const part of parts) length += part.length;
  const frame = Buffer.allocUnsafe(length);
  let at = storedHeaderBytes;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  frame[0] = messageFormatVersion;
  frame.writeUInt32BE(crc32(plain(frame, storedHeaderBytes)), 1);
  return plain(frame, 0);
}

/** A stored frame of the first bytes of a buffer, which has room for the header in front of the payload. */
export function storedFrameOf(bytes: Uint8Array, length: number): Uint8Array {
  const frame = new Uint8Array(bytes.subarray(0, length));
  const checksum = crc32(plain(frame, storedHeaderBytes));
  frame[0] = messageFormatVersion;
  for (let index = 0; index < 4; index += 1) frame[1 + index] = (checksum >>> (24 - 8 * index)) & 0xff;
  return frame;
}

/** The value of a stored frame. @throws LogError `corrupt`, or `unsupported` if a newer release wrote it */
export function unframeStored(frame: Uint8Array): unknown {
  return unpackValue(storedPayload(frame));
}

/** The checked payload of a stored frame, still packed. @throws LogError `corrupt` as unframeStored does */
export function storedPayload(frame: Uint8Array): Uint8Array {
  checkHeader(frame, storedHeaderBytes);
  const expected = (frame[1]! << 24) | (frame[2]! << 16) | (frame[3]! << 8) | frame[4]!;
  const payload = plain(frame, storedHeaderBytes);
  if (crc32(payload) !== expected >>> 0) throw new LogError('corrupt', 'The checksum of a message is wrong.');
  return payload;
}

/** A packed value. @throws LogError `corrupt` if it cannot be unpacked */
export function unpackValue(payload: Uint8Array): unknown {
  try {
    return unpackr.unpack(payload);
  } catch (cause) {
    throw new LogError('corrupt', 'A message cannot be unpacked.', { cause });
  }
}

/** Frames a value for the bus: `[u8 version][payload]`. */
export function frameLive(value: unknown): Uint8Array {
  const payload = packr.pack(value);
  const frame = Buffer.allocUnsafe(liveHeaderBytes + payload.length);
  frame.set(payload, liveHeaderBytes);
  frame[0] = messageFormatVersion;
  return plain(frame, 0);
}

/** The value of a frame of the bus. @throws LogError `corrupt` as unframeStored does */
export function unframeLive(frame: Uint8Array): unknown {
  checkHeader(frame, liveHeaderBytes);
  return unpackValue(plain(frame, liveHeaderBytes));
}

/**
 * Runs a decoder.
 * @throws LogError `unsupported` for a form of a newer release, else `corrupt` if the decoder throws
 */
export function decodeWith<T>(what: string, value: unknown, unpackValue: (value: unknown) => T): T {
  try {
    return unpackValue(value);
  } catch (cause) {
    if (cause instanceof UnknownForm)
      throw new LogError('unsupported', `A ${what} is of a form that this release does not know.`, { cause });
    throw new LogError('corrupt', `The layout of a ${what} is wrong.`, { cause });
  }
}

function checkHeader(frame: Uint8Array, headerBytes: number): void {
  if (frame.length <= headerBytes) throw new LogError('corrupt', 'A message is too short.');
  const version = frame[0]!;
  if (version === messageFormatVersion) return;
  const code = version > messageFormatVersion ? 'unsupported' : 'corrupt';
  throw new LogError(code, `A message has format version ${version}, not ${messageFormatVersion}.`);
}

/** A view that is no Buffer, whose slice() would not copy. */
function plain(bytes: Uint8Array, from: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
}

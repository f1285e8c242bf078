import { Packr, Unpackr } from 'msgpackr';
import { crc32 } from '../../lib/crc32.ts';
import { LogError } from '../../ports.ts';

/**
 * The frames around every message of the log and the bus. Stored messages must stay readable for years, so msgpackr
 * never learns record structures: values are positional arrays whose layouts the codec files write down.
 */
export const formatVersion = 1;

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

/** `[u8 version][u32 big-endian CRC-32 of the payload][payload]`: for what is kept. */
export function frameStored(value: unknown): Uint8Array {
  return frameWith([packr.pack(value)]);
}

/** As frameStored, of a payload that is packed already, in parts. */
export function frameWith(parts: readonly Uint8Array[]): Uint8Array {
  let length = storedHeaderBytes;
  for (const part of parts) length += part.length;
  const frame = Buffer.allocUnsafe(length);
  let at = storedHeaderBytes;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  frame[0] = formatVersion;
  frame.writeUInt32BE(crc32(plain(frame, storedHeaderBytes)), 1);
  return plain(frame, 0);
}

/** @throws LogError `corrupt` where the bytes are damaged or of another format version. */
export function unframeStored(frame: Uint8Array): unknown {
  checkHeader(frame, storedHeaderBytes);
  const expected = (frame[1]! << 24) | (frame[2]! << 16) | (frame[3]! << 8) | frame[4]!;
  const payload = plain(frame, storedHeaderBytes);
  if (crc32(payload) !== expected >>> 0) throw new LogError('corrupt', 'The checksum of a message is wrong.');
  return unpack(payload);
}

/** `[u8 version][payload]`: for what lives on the bus only. */
export function frameLive(value: unknown): Uint8Array {
  const payload = packr.pack(value);
  const frame = Buffer.allocUnsafe(liveHeaderBytes + payload.length);
  frame.set(payload, liveHeaderBytes);
  frame[0] = formatVersion;
  return plain(frame, 0);
}

/** @throws LogError `corrupt`. */
export function unframeLive(frame: Uint8Array): unknown {
  checkHeader(frame, liveHeaderBytes);
  return unpack(plain(frame, liveHeaderBytes));
}

/** Runs a decoder over a frame's value; whatever it finds wrong is a corrupt message. */
export function decodeWith<T>(what: string, value: unknown, unpackValue: (value: unknown) => T): T {
  try {
    return unpackValue(value);
  } catch (cause) {
    throw new LogError('corrupt', `The layout of a ${what} is wrong.`, { cause });
  }
}

function checkHeader(frame: Uint8Array, headerBytes: number): void {
  if (frame.length <= headerBytes) throw new LogError('corrupt', 'A message is too short.');
  if (frame[0] !== formatVersion) {
    throw new LogError('corrupt', `A message has format version ${frame[0]}, not ${formatVersion}.`);
  }
}

/** A view that is no Buffer, whose slice() would not copy. */
function plain(bytes: Uint8Array, from: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
}

function unpack(payload: Uint8Array): unknown {
  try {
    return unpackr.unpack(payload);
  } catch (cause) {
    throw new LogError('corrupt', 'A message cannot be unpacked.', { cause });
  }
}

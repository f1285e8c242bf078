import { crc32 } from '../../lib/hashes.ts';
import { type BlockRecord, LogError, type OutcomeRouting } from '../../ports.ts';

/**
 * Outcome records of consecutive commands as one message of OUT (docs/rules/log.md "Blocks"):
 * `[0xB1][u32 CRC-32 of the rest of the header][u48 first sequence][u16 records]`, for each record
 * `[u8 routing][u32 length]`, then the records, each with a checksum of its own. Big-endian. Readers of
 * older releases take the first byte for the format of a newer message, and stop.
 */
const blockMark = 0xb1;
const checkedFrom = 5;
const entriesFrom = 13;
const entryBytes = 5;
const walletBit = 1;
const hooksBit = 2;
const eventsBit = 4;

/** The first and last record of a block. */
export interface BlockRange {
  readonly first: number;
  readonly last: number;
}

export interface RecordOfBlock {
  readonly sequence: number;
  readonly routing: OutcomeRouting;
  readonly bytes: Uint8Array;
}

/** Whether a whole message of an outcome stream is a block; others are one record. */
export const isBlock = (bytes: Uint8Array): boolean => bytes[0] === blockMark;

/** A block of records that follow each other, the first of which is `first`. */
export function packBlock(first: number, records: readonly BlockRecord[]): Uint8Array {
  const headerBytes = entriesFrom + entryBytes * records.length;
  const block = Buffer.allocUnsafe(records.reduce((sum, { bytes }) => sum + bytes.length, headerBytes));
  block[0] = blockMark;
  block.writeUIntBE(first, checkedFrom, 6);
  block.writeUInt16BE(records.length, checkedFrom + 6);
  let entry = entriesFrom;
  let at = headerBytes;
  for (const { routing, bytes } of records) {
    block[entry] = bitsOf(routing);
    block.writeUInt32BE(bytes.length, entry + 1);
    block.set(bytes, at);
    entry += entryBytes;
    at += bytes.length;
  }
  block.writeUInt32BE(crc32(block.subarray(checkedFrom, headerBytes)), 1);
  return new Uint8Array(block.buffer, block.byteOffset, block.length);
}

/** @throws LogError `corrupt` */
export function rangeOfBlock(bytes: Uint8Array): BlockRange {
  const { first, count } = headerOf(bytes);
  return { first, last: first + count - 1 };
}

/** The records, as views of the block. @throws LogError `corrupt` */
export function recordsOfBlock(block: Uint8Array): readonly RecordOfBlock[] {
  const { header, first, count } = headerOf(block);
  const records: RecordOfBlock[] = [];
  let at = header.length;
  for (let index = 0; index < count; index += 1) {
    const entry = entriesFrom + entryBytes * index;
    const end = at + header.readUInt32BE(entry + 1);
    if (end > block.length) throw damaged();
    const bytes = new Uint8Array(block.buffer, block.byteOffset + at, end - at);
    records.push({ sequence: first + index, routing: routingOf(header[entry]!), bytes });
    at = end;
  }
  return records;
}

function headerOf(bytes: Uint8Array): { header: Buffer; first: number; count: number } {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (block.length < entriesFrom) throw damaged();
  const first = block.readUIntBE(checkedFrom, 6);
  const count = block.readUInt16BE(checkedFrom + 6);
  const header = block.subarray(0, entriesFrom + entryBytes * count);
  if (count === 0 || header.length !== entriesFrom + entryBytes * count) throw damaged();
  if (crc32(header.subarray(checkedFrom)) !== block.readUInt32BE(1)) throw damaged();
  return { header, first, count };
}

function damaged(): LogError {
  return new LogError('corrupt', 'The header of a block of outcome records is damaged.');
}

function bitsOf({ wallet, hooks, events }: OutcomeRouting): number {
  return (wallet ? walletBit : 0) | (hooks ? hooksBit : 0) | (events ? eventsBit : 0);
}

function routingOf(bits: number): OutcomeRouting {
  return {
    wallet: (bits & walletBit) !== 0,
    hooks: (bits & hooksBit) !== 0,
    events: (bits & eventsBit) !== 0,
  };
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { equalBytes, fromHex, toHex } from '../../lib/bytes.ts';
import { crc32 } from '../../lib/hashes.ts';
import { recordHead } from '../../messages/codec/record-head.ts';
import { type CommandChannel, LogError, type StoredCommand, type StoredOutcome } from '../../ports.ts';

/** A command and its outcome record, as the streams of a lane had them. */
export interface ArchivedMessage {
  readonly command: StoredCommand;
  readonly outcome: StoredOutcome;
}

/** The description at the beginning of a segment. */
export interface SegmentFacts {
  readonly version: 1;
  readonly lane: number;
  readonly first: number;
  readonly last: number;
  /** When the first and last command were stored. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** The lane heads before the first record and of the last one, in hex; '' where the former is unknown. */
  readonly headBefore: string;
  readonly head: string;
  /** The segment before; null: the archive begins here. */
  readonly previous: { readonly last: number; readonly sha256: string } | null;
  readonly quarantines: readonly number[];
  /** Bytes of the messages before they were compressed. */
  readonly rawBytes: number;
}

/** An encoded segment. */
export interface LogSegment {
  readonly facts: SegmentFacts;
  readonly bytes: Uint8Array;
  /** Hash of everything before it in the file, in hex: names the segment. */
  readonly sha256: string;
}

/** The place that a segment continues. */
export interface SegmentStart {
  readonly headBefore: string;
  readonly previous: SegmentFacts['previous'];
}

const magic = Buffer.from('PSEG0001', 'latin1');
const digestBytes = 32;
const maxFactsBytes = 16 * 1024 * 1024;
const entryHeaderBytes = 33;
/** A segment is checked as a whole before it is used, so its size is bounded. */
const maxRawBytes = 1024 * 1024 * 1024;
const channels: readonly CommandChannel[] = ['batch', 'own', 'control', 'settlement', 'quarantine'];

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * Encodes messages that follow one another: a description, the messages compressed by gzip, each with its
 * CRCs, and a SHA-256 of all that (docs/decisions/0332).
 * @throws LogError `corrupt` if a record does not follow from the one before it
 */
export async function encodeSegment(
  lane: number,
  messages: readonly ArchivedMessage[],
  { headBefore, previous }: SegmentStart,
): Promise<LogSegment> {
  const first = messages[0] as ArchivedMessage;
  const last = messages.at(-1) as ArchivedMessage;
  const raw = Buffer.concat(messages.flatMap(encodeMessage));
  const facts: SegmentFacts = {
    version: 1,
    lane,
    first: first.command.sequence,
    last: last.command.sequence,
    firstMs: first.command.timestampMs,
    lastMs: last.command.timestampMs,
    headBefore,
    head: requireChain(lane, messages, headBefore),
    previous,
    quarantines: messages
      .filter(({ command }) => command.channel === 'quarantine')
      .map(({ command }) => command.sequence),
    rawBytes: raw.length,
  };
  const description = Buffer.from(JSON.stringify(facts), 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(description.length);
  const content = Buffer.concat([magic, length, description, await compress(raw)]);
  const digest = sha256(content);
  return { facts, bytes: Buffer.concat([content, digest]), sha256: digest.toString('hex') };
}

/** The name of a segment: the SHA-256 at its end. @throws LogError `corrupt` if its bytes have another one */
export function segmentDigest(bytes: Uint8Array): string {
  const content = bytes.subarray(0, Math.max(0, bytes.length - digestBytes));
  const digest = sha256(content);
  if (!equalBytes(digest, bytes.subarray(content.length))) throw corrupt('its SHA-256 is another one');
  return digest.toString('hex');
}

/**
 * The messages of a segment, checked: its SHA-256, every CRC, the sequences, and the chain of lane heads.
 * @throws LogError `corrupt`
 */
export async function decodeSegment(
  bytes: Uint8Array,
): Promise<Omit<LogSegment, 'bytes'> & { readonly messages: readonly ArchivedMessage[] }> {
  const sha256 = segmentDigest(bytes);
  const { facts, body } = splitSegment(bytes);
  const raw = await decompress(body, { maxOutputLength: maxRawBytes }).catch(() => {
    throw corrupt('its content cannot be decompressed');
  });
  if (raw.length !== facts.rawBytes) throw corrupt('its content has another length');
  const messages = [...decodeMessages(facts.lane, facts.first, raw)];
  const last = messages.at(-1)?.command.sequence;
  if (last !== facts.last) throw corrupt(`it ends at ${last}, not at ${facts.last}`);
  if (requireChain(facts.lane, messages, facts.headBefore) !== facts.head)
    throw corrupt('its last lane head is another one');
  return { facts, sha256, messages };
}

function splitSegment(bytes: Uint8Array): { readonly facts: SegmentFacts; readonly body: Uint8Array } {
  const at = magic.length + 4;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.length < at + digestBytes || !equalBytes(view.subarray(0, magic.length), magic))
    throw corrupt('it is no segment of this version');
  const length = view.readUInt32BE(magic.length);
  if (length > maxFactsBytes || at + length > view.length - digestBytes) throw corrupt('it is cut off');
  try {
    const facts = JSON.parse(view.toString('utf8', at, at + length)) as SegmentFacts;
    return { facts, body: view.subarray(at + length, view.length - digestBytes) };
  } catch {
    throw corrupt('its description cannot be read');
  }
}

/** Channel, times, lengths and CRCs; then the command and the record. */
function encodeMessage({ command, outcome }: ArchivedMessage): Uint8Array[] {
  const header = Buffer.alloc(entryHeaderBytes);
  header.writeUInt8(channels.indexOf(command.channel), 0);
  header.writeDoubleBE(command.timestampMs, 1);
  header.writeDoubleBE(outcome.timestampMs, 9);
  header.writeUInt32BE(command.bytes.length, 17);
  header.writeUInt32BE(outcome.bytes.length, 21);
  header.writeUInt32BE(crc32(command.bytes), 25);
  header.writeUInt32BE(crc32(outcome.bytes), 29);
  return [header, command.bytes, outcome.bytes];
}

function* decodeMessages(lane: number, first: number, raw: Buffer): Generator<ArchivedMessage> {
  let sequence = first;
  for (let at = 0; at < raw.length; sequence += 1) {
    if (raw.length - at < entryHeaderBytes) throw corrupt('a message is cut off');
    const channel = channels[raw.readUInt8(at)];
    if (channel === undefined) throw corrupt(`message ${sequence} has no channel`);
    const commandBytes = raw.readUInt32BE(at + 17);
    const outcomeBytes = raw.readUInt32BE(at + 21);
    const commandAt = at + entryHeaderBytes;
    const outcomeAt = commandAt + commandBytes;
    const command = part(raw, commandAt, commandBytes, raw.readUInt32BE(at + 25), sequence);
    const outcome = part(raw, outcomeAt, outcomeBytes, raw.readUInt32BE(at + 29), sequence);
    yield {
      command: { lane, sequence, channel, timestampMs: raw.readDoubleBE(at + 1), bytes: command },
      outcome: { lane, sequence, timestampMs: raw.readDoubleBE(at + 9), bytes: outcome },
    };
    at = outcomeAt + outcomeBytes;
  }
}

function part(raw: Buffer, at: number, length: number, crc: number, sequence: number): Uint8Array {
  if (at + length > raw.length) throw corrupt(`message ${sequence} is cut off`);
  // A view that is no Buffer, whose slice() would not copy.
  const bytes = new Uint8Array(raw.buffer, raw.byteOffset + at, length);
  if (crc32(bytes) !== crc) throw corrupt(`message ${sequence} has another CRC`);
  return bytes;
}

/** The lane head of the last record. @throws LogError `corrupt` where the chain breaks */
function requireChain(lane: number, messages: readonly ArchivedMessage[], headBefore: string): string {
  let head = headBefore === '' ? null : fromHex(headBefore);
  for (const { command, outcome } of messages) {
    const record = recordHead(outcome.bytes);
    if (record === null || record.sequence !== command.sequence || outcome.sequence !== command.sequence)
      throw corrupt(`lane ${lane} has another record at ${command.sequence}`);
    if (head !== null && !equalBytes(record.laneHead, sha256(head, record.body)))
      throw corrupt(`record ${command.sequence} of lane ${lane} does not follow from the one before it`);
    head = record.laneHead;
  }
  return head === null ? '' : toHex(head);
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const each of parts) hash.update(each);
  return hash.digest();
}

function corrupt(what: string): LogError {
  return new LogError('corrupt', `A segment of the archive is damaged: ${what}.`);
}

import type { CommandBatch } from '../commands.ts';
import type { Contribute } from '../player-commands.ts';
import {
  contributionTag,
  linkedForm,
  packContribute,
  requiredMembers,
  source,
  wallet,
} from './contribute.ts';
import { storedFrameOf, storedHeaderBytes } from './frame.ts';

/** Writes batches of contributions as the general writer does, without arrays; gives up on anything else. */

const bin8 = 0xc4;
const fixArray = 0x90;
const array16 = 0xdc;
const maxFixArray = 15;
const fixText = 0xa0;
const text8 = 0xd9;
const text16 = 0xda;
const int64 = 0xd3;
const nil = 0xc0;
const no = 0xc2;
const yes = 0xc3;

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const maxArray = 0xffff;
const maxBytes8 = 0xff;
const maxTextLength = 0x5555;
/** The most that a contribution takes beside its texts. */
const fixedBytes = 160;
/** The most that a character takes in UTF-8, and the head of a text. */
const maxCharacterBytes = 3;
const textHeadBytes = 3;
/** Room is kept for the next batch, unless this one was unusually large. */
const keptBytes = 256 * 1024;

let bytes: Buffer = Buffer.alloc(0);
let view: DataView = new DataView(bytes.buffer, 0, 0);
let at = 0;

/** The stored frame of a batch; null: it holds something else. */
export function writeContributions({ batchId, gateway, commands }: CommandBatch): Uint8Array | null {
  if (commands.length > maxArray || batchId.length > maxBytes8) return null;
  at = storedHeaderBytes;
  ensure(fixedBytes + batchId.length + roomOf(gateway));
  writeByte(fixArray | 3);
  writeBytes(batchId);
  if (!writeText(gateway)) return null;
  writeArray(commands.length);
  for (let index = 0; index < commands.length; index += 1) {
    const command = commands[index]!;
    if (command.kind !== 'Contribute' || !writeContribution(command)) return null;
  }
  const frame = storedFrameOf(bytes, at);
  if (bytes.length > keptBytes) grow(keptBytes, 0);
  return frame;
}

function writeContribution(command: Contribute): boolean {
  const { contributionId, target, segments, idempotencyKey } = command;
  if (contributionId.length > maxBytes8 || segments.length > maxArray) return false;
  if (idempotencyKey !== null && idempotencyKey.length > maxBytes8) return false;
  const packed = hasOptional(command) ? packContribute(command) : null;
  ensure(roomOfContribution(command) + contributionId.length + (idempotencyKey?.length ?? 0));
  writeByte(fixArray | 2);
  writeByte(contributionTag);
  writeArray(packed === null ? requiredMembers : packed.length);
  writeBytes(contributionId);
  writeByte(
    (command.linked ? linkedForm : 0) |
      (command.wallet ? wallet : 0) |
      (target.type === 'source' ? source : 0),
  );
  if (!writeText(target.id) || !writeText(command.operator) || !writeText(command.brand)) return false;
  if (!writeText(command.player) || !writeText(command.country)) return false;
  writeArray(segments.length);
  for (const segment of segments) if (!writeText(segment)) return false;
  if (!writeAtoms(command.baseWagerAtoms) || !writeText(command.currency) || !writeText(command.gameround))
    return false;
  if (idempotencyKey === null) writeByte(nil);
  else writeBytes(idempotencyKey);
  return packed === null || writeOptional(packed);
}

function hasOptional(command: Contribute): boolean {
  return (
    command.vertical !== '' ||
    command.maxBetAtoms !== null ||
    command.bonus !== null ||
    command.callback !== null ||
    command.metadata !== null ||
    command.eventMetadata !== null ||
    command.provider !== '' ||
    command.origin !== null ||
    (command.target.type === 'source' && command.target.group !== undefined)
  );
}

/** Members that most contributions lack: leaves, and lists of leaves. */
function writeOptional(packed: readonly unknown[]): boolean {
  for (let index = requiredMembers; index < packed.length; index += 1) {
    const member = packed[index];
    if (!Array.isArray(member)) {
      if (!writeLeaf(member)) return false;
      continue;
    }
    ensure(fixedBytes);
    writeArray(member.length);
    for (const leaf of member) if (!writeLeaf(leaf)) return false;
  }
  return true;
}

function writeLeaf(leaf: unknown): boolean {
  if (typeof leaf === 'string') {
    ensure(roomOf(leaf));
    return writeText(leaf);
  }
  ensure(fixedBytes);
  if (typeof leaf === 'bigint') return writeAtoms(leaf);
  if (typeof leaf === 'boolean') writeByte(leaf ? yes : no);
  else if (leaf === null) writeByte(nil);
  else return false;
  return true;
}

function roomOfContribution(command: Contribute): number {
  const { target, operator, brand, player, country, segments, currency, gameround } = command;
  let characters = target.id.length + operator.length + brand.length + player.length + country.length;
  characters += currency.length + gameround.length;
  for (const segment of segments) characters += segment.length;
  return fixedBytes + textHeadBytes * segments.length + maxCharacterBytes * characters;
}

function roomOf(text: string): number {
  return textHeadBytes + maxCharacterBytes * text.length;
}

function ensure(more: number): void {
  if (at + more > bytes.length) grow(Math.max(2 * bytes.length, at + more, keptBytes / 4), at);
}

function grow(size: number, used: number): void {
  const larger = Buffer.allocUnsafeSlow(size);
  bytes.copy(larger, 0, 0, used);
  bytes = larger;
  view = new DataView(larger.buffer, larger.byteOffset, larger.length);
}

function writeByte(value: number): void {
  bytes[at++] = value;
}

function writeArray(length: number): void {
  if (length <= maxFixArray) writeByte(fixArray | length);
  else {
    writeByte(array16);
    writeByte(length >>> 8);
    writeByte(length & 0xff);
  }
}

/** false: it is too wide. */
function writeAtoms(atoms: bigint): boolean {
  if (atoms > maxInt64 || atoms < minInt64) return false;
  writeByte(int64);
  view.setBigInt64(at, atoms);
  at += 8;
  return true;
}

function writeBytes(value: Uint8Array): void {
  const { length } = value;
  writeByte(bin8);
  writeByte(length);
  for (let index = 0; index < length; index += 1) bytes[at + index] = value[index]!;
  at += length;
}

/** false: it is too long. */
function writeText(text: string): boolean {
  const { length } = text;
  const head = at;
  const from = head + (length < 32 ? 1 : 2);
  let index = 0;
  if (length <= maxBytes8) {
    for (; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) break;
      bytes[from + index] = code;
    }
    if (index === length) {
      if (length < 32) bytes[head] = fixText | length;
      else {
        bytes[head] = text8;
        bytes[head + 1] = length;
      }
      at = from + length;
      return true;
    }
  }
  return writeLongText(text);
}

/** A long one, or not of ASCII, in its shortest form. */
function writeLongText(text: string): boolean {
  if (text.length > maxTextLength) return false;
  const size = Buffer.byteLength(text);
  if (size < 32) writeByte(fixText | size);
  else if (size <= maxBytes8) {
    writeByte(text8);
    writeByte(size);
  } else {
    writeByte(text16);
    writeByte(size >>> 8);
    writeByte(size & 0xff);
  }
  at += bytes.write(text, at, 'utf8');
  return true;
}

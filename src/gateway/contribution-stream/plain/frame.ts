import {
  array16,
  fixArray,
  fixText,
  float64,
  maxFixInteger,
  nil,
  no,
  text8,
  text16,
  uint8,
  uint16,
  uint32,
  yes,
} from '../message-pack.ts';
import { plain } from './contribution.ts';
import { fieldTexts } from './field-texts.ts';
import { plainMetadata } from './metadata.ts';
import { printableText } from './printable-text.ts';

const requiredMembers = 11;
const maxMembers = 22;
const maxIdLength = 128;
const maxKeyLength = 255;
const maxTokenLength = 4_096;
const sourceTypes = ['gameround', 'deposit', 'bet', 'other'] as const;
/** Numbers below this have at most 15 digits when they are written in atoms. */
const maxPlainAmount = 9_999_999;

const nothing = Buffer.alloc(0);
let bytes: Buffer = nothing;
let at = 0;
let end = 0;
/** Length of the text at hand, which begins at `at`. */
let length = 0;

/** Reads a frame's value into `plain`; false: the general reader has to. */
export function readPlainFrame(frame: Buffer, from: number, to: number): boolean {
  bytes = frame;
  at = from;
  end = to;
  plain.clear();
  const isRead = readMembers();
  bytes = nothing;
  return isRead;
}

function readMembers(): boolean {
  const count = readCount();
  if (count < requiredMembers || count > maxMembers) return false;
  if (!readRef()) return false;
  const type = bytes[at++]!;
  if (type > 1) return false;
  plain.isSource = type === 1;
  const target = readKnown(type === 1 ? fieldTexts.foreignId : fieldTexts.ownId);
  const operator = readKnown(fieldTexts.ownId);
  const brand = readKnown(fieldTexts.brand);
  const player = readOnce(maxIdLength);
  const token = readToken();
  const country = readKnown(fieldTexts.country);
  const gameround = readOnce(maxIdLength);
  if (target === null || operator === null || brand === null || player === null || token === null)
    return false;
  if (country === null || gameround === null || !readAmount()) return false;
  const currency = readKnown(fieldTexts.currency);
  if (currency === null) return false;
  plain.targetId = target;
  plain.operator = operator;
  plain.brand = brand;
  plain.player = player;
  plain.token = token;
  plain.country = country;
  plain.gameround = gameround;
  plain.currency = currency;
  return readOptional(count) && at === end;
}

function readOptional(count: number): boolean {
  if (count > 11 && !isNil()) {
    plain.idempotencyKey = readOnce(maxKeyLength);
    if (plain.idempotencyKey === null) return false;
  }
  if (count > 12 && !isNil()) {
    plain.metadata = readMetadata();
    if (plain.metadata === null) return false;
  }
  return count <= 13 || readSeldom(count);
}

/** Segments, a callback and a bonus are for the general reader. */
function readSeldom(count: number): boolean {
  if (!isNil()) {
    const sourceType = sourceTypes[bytes[at++]!];
    if (sourceType === undefined) return false;
    plain.sourceType = sourceType;
  }
  if (count > 14 && !isNil()) return false;
  if (count > 15 && !isNil()) {
    const vertical = readKnown(fieldTexts.foreignId);
    if (vertical === null) return false;
    plain.vertical = vertical;
  }
  if (count > 16 && !isNil()) {
    const gameCode = readKnown(fieldTexts.foreignId);
    if (gameCode === null) return false;
    plain.gameCode = gameCode;
  }
  if (count > 17 && !isNil()) {
    const gameCategory = readKnown(fieldTexts.foreignId);
    if (gameCategory === null) return false;
    plain.gameCategory = gameCategory;
  }
  if (count > 18 && !isNil()) {
    const flag = bytes[at++];
    if (flag !== yes && flag !== no) return false;
    plain.linked = flag === yes;
  }
  if (count > 19 && !isNil()) return false;
  if (count > 20 && !isNil()) return false;
  if (count > 21 && !isNil()) {
    plain.eventMetadata = readMetadata();
    return plain.eventMetadata !== null;
  }
  return true;
}

function readCount(): number {
  const type = bytes[at++]!;
  if ((type & 0xf0) === fixArray) return type & 0x0f;
  if (type !== array16) return -1;
  at += 2;
  return at > end ? -1 : bytes.readUInt16BE(at - 2);
}

/** Steps behind a nil; false: another value is there. */
function isNil(): boolean {
  if (bytes[at] !== nil) return false;
  at += 1;
  return true;
}

function readRef(): boolean {
  const whole = readWhole();
  if (whole >= 0) {
    plain.ref = whole;
    return true;
  }
  plain.ref = readOnce(maxIdLength);
  return plain.ref !== null;
}

/** A number; −1: none that is read here begins here, and nothing was stepped over. */
function readWhole(): number {
  const type = bytes[at]!;
  if (type <= maxFixInteger) {
    at += 1;
    return type;
  }
  const size = type === uint8 ? 1 : type === uint16 ? 2 : type === uint32 ? 4 : 0;
  if (size === 0 || at + 1 + size > end) return -1;
  at += 1 + size;
  return bytes.readUIntBE(at - size, size);
}

function readAmount(): boolean {
  const whole = readWhole();
  if (whole >= 0) {
    plain.baseWager = whole;
    return true;
  }
  if (bytes[at] === float64) return readFloat();
  const text = readKnown(fieldTexts.amount);
  if (text === null) return false;
  plain.baseWager = text;
  return true;
}

/** With at most 15 digits on both sides no other decimal is as near. */
function readFloat(): boolean {
  if (at + 9 > end) return false;
  const value = bytes.readDoubleBE(at + 1);
  at += 9;
  plain.baseWager = value;
  return value > 0 && value <= maxPlainAmount && Math.round(value * 1e8) / 1e8 === value;
}

function readMetadata(): string | null {
  if (!readTextHead()) return null;
  const from = at;
  at += length;
  const text = fieldTexts.metadata.read(bytes, from, length) ?? printableText(bytes, from, length);
  return text === null ? null : plainMetadata(text);
}

/** A text that other contributions have too; null: it is not good, or not remembered. */
function readKnown(texts: (typeof fieldTexts)[keyof typeof fieldTexts]): string | null {
  if (!readTextHead()) return null;
  at += length;
  return texts.read(bytes, at - length, length);
}

/** A text that hardly any other contribution has. */
function readOnce(maxLength: number): string | null {
  if (!readTextHead() || length === 0 || length > maxLength) return null;
  at += length;
  return printableText(bytes, at - length, length);
}

function readToken(): string | null {
  if (!readTextHead() || length === 0 || length > maxTokenLength) return null;
  at += length;
  return fieldTexts.token.read(bytes, at - length, length) ?? printableText(bytes, at - length, length);
}

/** Steps to the first byte of a text, all of which is there. */
function readTextHead(): boolean {
  const type = bytes[at++]!;
  if ((type & 0xe0) === fixText) length = type & 0x1f;
  else if (type === text8) length = bytes[at++]!;
  else if (type === text16) {
    at += 2;
    if (at > end) return false;
    length = bytes.readUInt16BE(at - 2);
  } else return false;
  // Also where the length itself is missing.
  return at + length <= end;
}

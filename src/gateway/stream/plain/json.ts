import { sourceTypes } from '../../../contracts/contributions/contribution.ts';
import { plainLine } from './contribution.ts';
import { fieldTexts, plainMetadata, printableText } from './texts.ts';

/** Members of a line, one bit each: a key twice is for the general reader. */
const member = {
  ref: 1,
  target: 2,
  source: 4,
  operator: 8,
  player: 16,
  wager: 32,
  metadata: 64,
  eventMetadata: 128,
  options: 256,
} as const;
/** All before the metadata. */
const requiredMembers = 63;
/** Members of the objects in it. */
const first = 1;
const second = 2;
const third = 4;
const fourth = 8;
const fifth = 16;

const maxIdLength = 128;
const maxKeyLength = 255;
const maxTokenLength = 4_096;
/** Digits that a double holds exactly. */
const maxDigits = 15;
const powersOfTen = Array.from({ length: maxDigits + 1 }, (_, power) => 10 ** power);
/** Metadata that nests deeper is for the general reader. */
const maxDepth = 8;

const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const letterT = 0x74;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const nothing = Buffer.alloc(0);
let bytes: Buffer = nothing;
let at = 0;
let end = 0;
/** The text or the number at hand. */
let start = 0;
let length = 0;
let number = 0;
/** The target's id, which is judged by its type. */
let idStart = 0;
let idLength = 0;
/** false: a value is for the general reader. */
let isPlain = true;

/** Reads a line of JSON into `plainLine`; false: the general reader has to. */
export function readPlainJson(line: Buffer, from: number, to: number): boolean {
  bytes = line;
  at = from;
  end = to;
  isPlain = true;
  while (end > at && (bytes[end - 1] === carriageReturn || bytes[end - 1] === space)) end -= 1;
  plainLine.clear();
  const isRead = readObject(readMember, requiredMembers) && at === end;
  bytes = nothing;
  return isRead;
}

/** `readEach` reads the value of the key at hand and returns its bit; 0: for the general reader. */
function readObject(readEach: () => number, required: number): boolean {
  if (bytes[at] !== openBrace) return false;
  let members = 0;
  do {
    at += 1;
    if (!readKey()) return false;
    const bit = readEach();
    if (bit === 0 || (members & bit) !== 0) return false;
    members |= bit;
    skipSpaces();
  } while (bytes[at] === comma);
  if (bytes[at] !== closeBrace) return false;
  at += 1;
  return isPlain && (members & required) === required;
}

function readMember(): number {
  switch (length) {
    case 3:
      return isKey('ref') && readRef() ? member.ref : 0;
    case 6:
      if (isKey('target')) return readTarget() ? member.target : 0;
      if (isKey('source')) return readObject(readSourceMember, first | second) ? member.source : 0;
      if (!isKey('player')) return 0;
      return readObject(readPlayerMember, first | second | third | fourth) ? member.player : 0;
    case 7:
      return isKey('options') && readObject(readOption, 0) ? member.options : 0;
    case 8:
      if (!isKey('metadata')) return 0;
      plainLine.metadata = readMetadata();
      return member.metadata;
    case 10:
      return isKey('base_wager') && readObject(readWagerMember, first | second) ? member.wager : 0;
    case 11:
      if (!isKey('operator_id')) return 0;
      plainLine.operator = readKnown(fieldTexts.ownId);
      return member.operator;
    case 14:
      if (!isKey('event_metadata')) return 0;
      plainLine.eventMetadata = readMetadata();
      return member.eventMetadata;
    default:
      return 0;
  }
}

function readRef(): boolean {
  if (bytes[at] === quote) plainLine.ref = readOnce(maxIdLength);
  else plainLine.ref = readNumber() ? number : null;
  return typeof plainLine.ref === 'string' || Number.isInteger(plainLine.ref);
}

function readTarget(): boolean {
  if (!readObject(readTargetMember, first | second)) return false;
  const texts = plainLine.isSource ? fieldTexts.foreignId : fieldTexts.ownId;
  plainLine.targetId = texts.read(bytes, idStart, idLength) ?? giveUp();
  return isPlain;
}

function readTargetMember(): number {
  if (isKey('id')) {
    if (!readText()) return 0;
    idStart = start;
    idLength = length;
    return first;
  }
  if (!isKey('type') || !readText()) return 0;
  plainLine.isSource = isKey('source');
  return plainLine.isSource || isKey('instance') ? second : 0;
}

function readSourceMember(): number {
  if (isKey('id')) {
    plainLine.gameround = readOnce(maxIdLength);
    return first;
  }
  if (!isKey('type')) return 0;
  plainLine.sourceType = (readText() ? sourceTypes.find(isKey) : undefined) ?? giveUp();
  return second;
}

function readPlayerMember(): number {
  if (isKey('id')) {
    plainLine.player = readOnce(maxIdLength);
    return first;
  }
  if (isKey('token')) {
    plainLine.token = readToken();
    return second;
  }
  if (isKey('country')) {
    plainLine.country = readKnown(fieldTexts.country);
    return third;
  }
  if (!isKey('brand_id')) return 0;
  plainLine.brand = readKnown(fieldTexts.brand);
  return fourth;
}

function readWagerMember(): number {
  if (isKey('currency')) {
    plainLine.currency = readKnown(fieldTexts.currency);
    return first;
  }
  if (!isKey('value')) return 0;
  if (bytes[at] === quote) plainLine.baseWager = readKnown(fieldTexts.amount);
  else if (readNumber()) plainLine.baseWager = number;
  else return 0;
  return second;
}

/** Callbacks and bonuses are for the general reader. */
function readOption(): number {
  if (isKey('idempotency_key')) {
    plainLine.idempotencyKey = readOnce(maxKeyLength);
    return first;
  }
  if (isKey('allow_linked_contributions')) {
    plainLine.linked = bytes[at] === letterT;
    const word = plainLine.linked ? 'true' : 'false';
    start = at;
    length = word.length;
    at += length;
    return isKey(word) ? second : 0;
  }
  if (isKey('vertical_id')) {
    plainLine.vertical = readKnown(fieldTexts.foreignId);
    return third;
  }
  if (isKey('game_code')) {
    plainLine.gameCode = readKnown(fieldTexts.foreignId);
    return fourth;
  }
  if (!isKey('game_category')) return 0;
  plainLine.gameCategory = readKnown(fieldTexts.foreignId);
  return fifth;
}

/** In place of a text that is for the general reader. */
function giveUp(): '' {
  isPlain = false;
  at = end;
  return '';
}

function skipSpaces(): void {
  while (bytes[at] === space) at += 1;
}

/** A key and its colon; the value begins at `at`. */
function readKey(): boolean {
  skipSpaces();
  if (!readText()) return false;
  skipSpaces();
  if (bytes[at] !== colon) return false;
  at += 1;
  skipSpaces();
  return true;
}

function isKey(key: string): boolean {
  if (length !== key.length) return false;
  for (let index = 0; index < key.length; index += 1)
    if (bytes[start + index] !== key.charCodeAt(index)) return false;
  return true;
}

/** Steps over a text without escapes. */
function readText(): boolean {
  if (bytes[at] !== quote) return false;
  start = at + 1;
  let position = start;
  for (; position < end; position += 1) {
    const code = bytes[position];
    if (code === quote) break;
    if (code === backslash) return false;
  }
  length = position - start;
  at = position + 1;
  return position < end;
}

function readKnown(texts: (typeof fieldTexts)[keyof typeof fieldTexts]): string {
  return (readText() ? texts.read(bytes, start, length) : null) ?? giveUp();
}

function readOnce(maxLength: number): string {
  if (!readText() || length === 0 || length > maxLength) return giveUp();
  return printableText(bytes, start, length) ?? giveUp();
}

function readToken(): string {
  if (!readText() || length === 0 || length > maxTokenLength) return giveUp();
  return fieldTexts.token.read(bytes, start, length) ?? printableText(bytes, start, length) ?? giveUp();
}

/** A number of at most 15 digits without sign and exponent, which divides exactly. */
function readNumber(): boolean {
  start = at;
  let digits = 0;
  let value = 0;
  let decimals = -1;
  for (; at < end; at += 1) {
    const code = bytes[at]!;
    if (code >= zero && code <= nine) {
      value = value * 10 + (code - zero);
      digits += 1;
      if (decimals >= 0) decimals += 1;
    } else if (code === dot && decimals < 0 && digits > 0) decimals = 0;
    else break;
  }
  if (digits === 0 || digits > maxDigits || decimals === 0) return false;
  const units = decimals < 0 ? digits : digits - decimals;
  if (units > 1 && bytes[start] === zero) return false;
  number = decimals < 0 ? value : value / powersOfTen[decimals]!;
  // What is no end of a number, the caller finds where a comma or a brace should be.
  return true;
}

function readMetadata(): string {
  const from = at;
  if (!skipValue()) return giveUp();
  const size = at - from;
  const text = fieldTexts.metadata.read(bytes, from, size) ?? printableText(bytes, from, size);
  return (text === null ? null : plainMetadata(text)) ?? giveUp();
}

/** Steps over an object, an array or a text; `plainMetadata` judges what is in it. */
function skipValue(): boolean {
  let depth = 0;
  while (at < end) {
    const code = bytes[at]!;
    if (code === quote) {
      if (!readText()) return false;
    } else {
      if (code === openBrace || code === openBracket) {
        depth += 1;
        if (depth > maxDepth) return false;
      } else if (code === closeBrace || code === closeBracket) depth -= 1;
      else if (depth === 0) return false;
      at += 1;
    }
    if (depth <= 0) return depth === 0;
  }
  return false;
}

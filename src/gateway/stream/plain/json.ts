import { plainLine } from './contribution.ts';
import { fieldTexts } from './field-texts.ts';
import { plainMetadata } from './metadata.ts';
import { printableText } from './printable-text.ts';

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
const required = 63;
/** The same of its objects. */
const first = 1;
const second = 2;
const third = 4;
const fourth = 8;
const fifth = 16;

const maxIdLength = 128;
const maxKeyLength = 255;
const maxTokenLength = 4_096;
/** So many a double holds exactly. */
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
/** Members of the object at hand. */
let seen = 0;

/** Reads a line of JSON into `plain`; false: the general reader has to. */
export function readPlainJson(line: Buffer, from: number, to: number): boolean {
  bytes = line;
  at = from;
  end = to;
  while (end > at && (bytes[end - 1] === carriageReturn || bytes[end - 1] === space)) end -= 1;
  plainLine.clear();
  const isRead = readMembers() && at === end;
  bytes = nothing;
  return isRead;
}

function readMembers(): boolean {
  let members = 0;
  if (!opens()) return false;
  do {
    if (!readKey()) return false;
    const bit = readMember();
    if (bit === 0 || (members & bit) !== 0) return false;
    members |= bit;
  } while (continues());
  return closes() && (members & required) === required;
}

/** The bit of the member that was read; 0: it is for the general reader. */
function readMember(): number {
  switch (length) {
    case 3:
      return isKey('ref') && readRef() ? member.ref : 0;
    case 6:
      if (isKey('target')) return readTarget() ? member.target : 0;
      if (isKey('source')) return readSource() ? member.source : 0;
      return isKey('player') && readPlayer() ? member.player : 0;
    case 7:
      return isKey('options') && readOptions() ? member.options : 0;
    case 8:
      if (!isKey('metadata')) return 0;
      plainLine.metadata = readMetadata();
      return plainLine.metadata === null ? 0 : member.metadata;
    case 10:
      return isKey('base_wager') && readWager() ? member.wager : 0;
    case 11:
      return isKey('operator_id') && readOperator() ? member.operator : 0;
    case 14:
      if (!isKey('event_metadata')) return 0;
      plainLine.eventMetadata = readMetadata();
      return plainLine.eventMetadata === null ? 0 : member.eventMetadata;
    default:
      return 0;
  }
}

function readRef(): boolean {
  if (bytes[at] === quote) {
    plainLine.ref = readOnce(maxIdLength);
    return plainLine.ref !== null;
  }
  plainLine.ref = readNumber() ? number : null;
  return Number.isInteger(plainLine.ref);
}

function readTarget(): boolean {
  let idStart = 0;
  let idLength = 0;
  seen = 0;
  if (!opens()) return false;
  do {
    if (!readKey()) return false;
    if (isKey('id') && isNew(first) && readText()) {
      idStart = start;
      idLength = length;
    } else if (isKey('type') && isNew(second) && readText()) {
      plainLine.isSource = isKey('source');
      if (!plainLine.isSource && !isKey('instance')) return false;
    } else return false;
  } while (continues());
  if (seen !== (first | second)) return false;
  const texts = plainLine.isSource ? fieldTexts.foreignId : fieldTexts.ownId;
  const id = texts.read(bytes, idStart, idLength);
  plainLine.targetId = id ?? '';
  return id !== null && closes();
}

function readSource(): boolean {
  seen = 0;
  if (!opens()) return false;
  do {
    if (!readKey()) return false;
    if (isKey('id') && isNew(first)) {
      const id = readOnce(maxIdLength);
      if (id === null) return false;
      plainLine.gameround = id;
    } else if (isKey('type') && isNew(second) && readText()) {
      const type = sourceTypeOf();
      if (type === null) return false;
      plainLine.sourceType = type;
    } else return false;
  } while (continues());
  return seen === (first | second) && closes();
}

function sourceTypeOf(): string | null {
  if (isKey('gameround')) return 'gameround';
  if (isKey('bet')) return 'bet';
  if (isKey('deposit')) return 'deposit';
  return isKey('other') ? 'other' : null;
}

function readOperator(): boolean {
  const operator = readKnown(fieldTexts.ownId);
  plainLine.operator = operator ?? '';
  return operator !== null;
}

function readPlayer(): boolean {
  seen = 0;
  if (!opens()) return false;
  do {
    if (!readKey()) return false;
    if (isKey('id') && isNew(first)) {
      const id = readOnce(maxIdLength);
      if (id === null) return false;
      plainLine.player = id;
    } else if (isKey('token') && isNew(second)) {
      const token = readToken();
      if (token === null) return false;
      plainLine.token = token;
    } else if (isKey('country') && isNew(third)) {
      const country = readKnown(fieldTexts.country);
      if (country === null) return false;
      plainLine.country = country;
    } else if (isKey('brand_id') && isNew(fourth)) {
      const brand = readKnown(fieldTexts.brand);
      if (brand === null) return false;
      plainLine.brand = brand;
    } else return false;
  } while (continues());
  return seen === (first | second | third | fourth) && closes();
}

function readWager(): boolean {
  seen = 0;
  if (!opens()) return false;
  do {
    if (!readKey()) return false;
    if (isKey('currency') && isNew(first)) {
      const currency = readKnown(fieldTexts.currency);
      if (currency === null) return false;
      plainLine.currency = currency;
    } else if (isKey('value') && isNew(second)) {
      if (bytes[at] === quote) {
        const amount = readKnown(fieldTexts.amount);
        if (amount === null) return false;
        plainLine.baseWager = amount;
      } else {
        if (!readNumber()) return false;
        plainLine.baseWager = number;
      }
    } else return false;
  } while (continues());
  return seen === (first | second) && closes();
}

/** Callbacks and bonuses are for the general reader. */
function readOptions(): boolean {
  seen = 0;
  if (!opens()) return false;
  do {
    if (!readKey()) return false;
    if (isKey('idempotency_key') && isNew(first)) {
      plainLine.idempotencyKey = readOnce(maxKeyLength);
      if (plainLine.idempotencyKey === null) return false;
    } else if (isKey('allow_linked_contributions') && isNew(second)) {
      plainLine.linked = bytes[at] === 0x74;
      const word = plainLine.linked ? 'true' : 'false';
      start = at;
      length = word.length;
      at += length;
      if (!isKey(word)) return false;
    } else if (isKey('vertical_id') && isNew(third)) {
      const vertical = readKnown(fieldTexts.foreignId);
      if (vertical === null) return false;
      plainLine.vertical = vertical;
    } else if (isKey('game_code') && isNew(fourth)) {
      const gameCode = readKnown(fieldTexts.foreignId);
      if (gameCode === null) return false;
      plainLine.gameCode = gameCode;
    } else if (isKey('game_category') && isNew(fifth)) {
      const gameCategory = readKnown(fieldTexts.foreignId);
      if (gameCategory === null) return false;
      plainLine.gameCategory = gameCategory;
    } else return false;
  } while (continues());
  return closes();
}

function isNew(bit: number): boolean {
  if ((seen & bit) !== 0) return false;
  seen |= bit;
  return true;
}

/** Steps into an object. */
function opens(): boolean {
  if (bytes[at] !== openBrace) return false;
  at += 1;
  return true;
}

function closes(): boolean {
  skipSpaces();
  if (bytes[at] !== closeBrace) return false;
  at += 1;
  return true;
}

/** Steps behind a comma, if one is there. */
function continues(): boolean {
  skipSpaces();
  if (bytes[at] !== comma) return false;
  at += 1;
  return true;
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

/** Steps behind a text without escapes. */
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

function readKnown(texts: (typeof fieldTexts)[keyof typeof fieldTexts]): string | null {
  return readText() ? texts.read(bytes, start, length) : null;
}

function readOnce(maxLength: number): string | null {
  if (!readText() || length === 0 || length > maxLength) return null;
  return printableText(bytes, start, length);
}

function readToken(): string | null {
  if (!readText() || length === 0 || length > maxTokenLength) return null;
  return fieldTexts.token.read(bytes, start, length) ?? printableText(bytes, start, length);
}

/** A number of at most 15 digits without sign and exponent: its digits and the power of ten are exact, so is what they divide to. */
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

function readMetadata(): string | null {
  const from = at;
  if (!skipValue()) return null;
  const size = at - from;
  const text = fieldTexts.metadata.read(bytes, from, size) ?? printableText(bytes, from, size);
  return text === null ? null : plainMetadata(text);
}

/** Steps behind an object, an array or a text; what is in it, `plainMetadata` judges. */
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

import type { LoggedBatch, LoggedCommand } from '../commands.ts';
import type { Contribute, ContributionTarget } from '../player-commands.ts';
import {
  contributionTag,
  linkedForm,
  requiredMembers,
  source,
  unpackContribute,
  wallet,
} from './contribute.ts';
import { unpackValue } from './frame.ts';
import { asciiText, InternedTexts } from './interned-texts.ts';

/**
 * Reads batches of contributions straight from their MessagePack bytes, without arrays and second copies of
 * texts that come again. It gives up on anything else, and the general reader reads the batch from its
 * beginning.
 */

const bin8 = 0xc4;
const fixArray = 0x90;
const array16 = 0xdc;
const fixText = 0xa0;
const text8 = 0xd9;
const text16 = 0xda;
const int64 = 0xd3;
const nil = 0xc0;
const no = 0xc2;
const yes = 0xc3;
const maxFixInteger = 0x7f;
const noSegments: readonly string[] = [];
const nothing = new Uint8Array(0);

/** Thrown where the general reader has to read the batch. */
const givenUp = { name: 'given up' };

const texts = new InternedTexts();
let bytes: Uint8Array = nothing;
/** Where `bytes` lie: to ask them for each id and key takes longer than to read it. */
let buffer: ArrayBufferLike = nothing.buffer;
let offset = 0;
let view: DataView = new DataView(nothing.buffer);
let at = 0;
let target: ContributionTarget = { type: 'instance', id: '' };

/** Ids and keys are views of `payload`. null: it holds something else. */
export function readContributions(payload: Uint8Array): LoggedBatch | null {
  bytes = payload;
  buffer = payload.buffer;
  offset = payload.byteOffset;
  view = new DataView(buffer, offset, payload.length);
  at = 0;
  try {
    return readBatch();
  } catch (error) {
    if (error === givenUp) return null;
    throw error;
  } finally {
    bytes = nothing;
    buffer = nothing.buffer;
  }
}

function readBatch(): LoggedBatch | null {
  if (bytes[at++] !== (fixArray | 3)) return null;
  const batchId = new Uint8Array(readBytes());
  const gateway = readText();
  const count = readArrayLength();
  const commands: LoggedCommand[] = [];
  for (let i = 0; i < count; i++) {
    if (bytes[at] !== (fixArray | 2) || bytes[at + 1] !== contributionTag) return null;
    at += 2;
    commands.push(readContribution());
  }
  return at === bytes.length ? { batchId, gateway, commands } : null;
}

function readContribution(): Contribute {
  const members = readArrayLength();
  if (members < requiredMembers) throw givenUp;
  const contributionId = readBytes();
  const flags = readSmallInteger();
  const id = readText();
  const operator = readText();
  const brand = readText();
  const player = readOnce();
  const country = readText();
  const segments = readSegments();
  const baseWagerAtoms = readAtoms();
  const currency = readText();
  const gameround = readOnce();
  const idempotencyKey = readBytesOrNull();
  if (members > requiredMembers) {
    const raw: unknown[] = [contributionId, flags, id, operator, brand, player, country, segments];
    raw.push(baseWagerAtoms, currency, gameround, idempotencyKey);
    while (raw.length < members) raw.push(readValue());
    return unpackContribute(raw);
  }
  return {
    kind: 'Contribute',
    contributionId,
    target: (flags & source) === 0 ? targetOf(id) : { type: 'source', id },
    operator,
    brand,
    player,
    country,
    segments,
    baseWagerAtoms,
    currency,
    gameround,
    idempotencyKey,
    linked: (flags & linkedForm) !== 0,
    wallet: (flags & wallet) !== 0,
    vertical: '',
    maxBetAtoms: null,
    bonus: null,
    callback: null,
    metadata: null,
    eventMetadata: null,
    provider: '',
    origin: null,
  };
}

/** Contributions to one instance share one object. */
function targetOf(id: string): ContributionTarget {
  if (target.id !== id) target = { type: 'instance', id };
  return target;
}

function readArrayLength(): number {
  const type = bytes[at++]!;
  if ((type & 0xf0) === fixArray) return type & 0x0f;
  if (type !== array16) throw givenUp;
  at += 2;
  return (bytes[at - 2]! << 8) | bytes[at - 1]!;
}

function readSmallInteger(): number {
  const value = bytes[at++]!;
  if (!(value <= maxFixInteger)) throw givenUp;
  return value;
}

function readAtoms(): bigint {
  if (bytes[at] !== int64 || at + 9 > bytes.length) throw givenUp;
  at += 9;
  return view.getBigInt64(at - 8);
}

function readBytes(): Uint8Array {
  if (bytes[at] !== bin8) throw givenUp;
  const length = bytes[at + 1]!;
  const from = at + 2;
  at = from + length;
  // Also where the length itself is missing.
  if (!(at <= bytes.length)) throw givenUp;
  return new Uint8Array(buffer, offset + from, length);
}

function readBytesOrNull(): Uint8Array | null {
  if (bytes[at] !== nil) return readBytes();
  at += 1;
  return null;
}

function readSegments(): readonly string[] {
  const count = readArrayLength();
  if (count === 0) return noSegments;
  return Array.from({ length: count }, readText);
}

/** A text that other contributions have too. */
function readText(): string {
  const length = readTextLength();
  const from = at;
  at += length;
  return texts.read(bytes, from, length) ?? longText(from, length);
}

/** A text that hardly any other contribution has. */
function readOnce(): string {
  const length = readTextLength();
  const from = at;
  at += length;
  return asciiText(bytes, from, length) ?? longText(from, length);
}

/** Steps to the first byte of a text. */
function readTextLength(): number {
  const type = bytes[at++]!;
  let length: number;
  if ((type & 0xe0) === fixText) length = type & 0x1f;
  else if (type === text8) length = bytes[at++]!;
  else if (type === text16) {
    length = (bytes[at]! << 8) | bytes[at + 1]!;
    at += 2;
  } else throw givenUp;
  if (!(at + length <= bytes.length)) throw givenUp;
  return length;
}

/** A long one, or not of ASCII: the general reader knows what malformed bytes mean. */
function longText(from: number, length: number): string {
  const packed = new Uint8Array(3 + length);
  packed[0] = text16;
  packed[1] = length >>> 8;
  packed[2] = length & 0xff;
  packed.set(bytes.subarray(from, from + length), 3);
  return unpackValue(packed) as string;
}

/** A member that most contributions lack: a leaf, or a list of leaves. */
function readValue(): unknown {
  if ((bytes[at]! & 0xf0) !== fixArray) return readLeaf();
  return Array.from({ length: readArrayLength() }, readLeaf);
}

function readLeaf(): unknown {
  const type = bytes[at]!;
  if (type === int64) return readAtoms();
  if (type !== nil && type !== no && type !== yes) return readText();
  at += 1;
  return type === nil ? null : type === yes;
}

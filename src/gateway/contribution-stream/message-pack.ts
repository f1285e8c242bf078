import { isUtf8 } from 'node:buffer';
import { PublicError } from '../errors.ts';

/** First bytes of MessagePack values (the specification at msgpack.org). */
export const nil = 0xc0;
export const no = 0xc2;
export const yes = 0xc3;
export const bin8 = 0xc4;
export const float32 = 0xca;
export const float64 = 0xcb;
export const uint8 = 0xcc;
export const uint16 = 0xcd;
export const uint32 = 0xce;
export const uint64 = 0xcf;
export const int8 = 0xd0;
export const int16 = 0xd1;
export const int32 = 0xd2;
export const int64 = 0xd3;
export const text8 = 0xd9;
export const text16 = 0xda;
export const text32 = 0xdb;
export const array16 = 0xdc;
export const array32 = 0xdd;
export const fixArray = 0x90;
export const fixText = 0xa0;
export const maxFixInteger = 0x7f;
const minNegativeFix = 0xe0;

/** A value of a frame; integers that a double does not hold are bigint. */
export type Leaf = null | boolean | number | bigint | string;

const malformed = 'The frame is not valid MessagePack.';
const foreignType = 'The frame has a MessagePack type that contributions have not.';

/**
 * Reads the few MessagePack types that contributions are made of, and trusts nothing: it makes room for what is there and not for what
 * is announced, and knows no extension, map or binary value.
 */
export class ValueReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The number of elements of the array that begins here; −1: none begins here. @throws PublicError */
  arrayLength(): number {
    const type = this.#bytes[this.#at];
    if (type === undefined) throw fault(malformed);
    if ((type & 0xf0) === fixArray) return this.#step(1, type & 0x0f);
    if (type === array16) return this.#step(3, this.#bytes.readUInt16BE(this.#within(1, 2)));
    return type === array32 ? this.#step(5, this.#bytes.readUInt32BE(this.#within(1, 4))) : -1;
  }

  /** @throws PublicError where a value of another type begins, or the bytes end */
  leaf(): Leaf {
    const type = this.#bytes[this.#at];
    if (type === undefined) throw fault(malformed);
    if (type <= maxFixInteger) return this.#step(1, type);
    if (type >= minNegativeFix) return this.#step(1, type - 0x100);
    if ((type & 0xe0) === fixText) return this.#text(1, type & 0x1f);
    const bytes = this.#bytes;
    switch (type) {
      case nil:
        return this.#step(1, null);
      case no:
        return this.#step(1, false);
      case yes:
        return this.#step(1, true);
      case text8:
        return this.#text(2, bytes.readUInt8(this.#within(1, 1)));
      case text16:
        return this.#text(3, bytes.readUInt16BE(this.#within(1, 2)));
      case text32:
        return this.#text(5, bytes.readUInt32BE(this.#within(1, 4)));
      case float32:
        return this.#float(5, bytes.readFloatBE(this.#within(1, 4)));
      case float64:
        return this.#float(9, bytes.readDoubleBE(this.#within(1, 8)));
      case uint8:
        return this.#step(2, bytes.readUInt8(this.#within(1, 1)));
      case uint16:
        return this.#step(3, bytes.readUInt16BE(this.#within(1, 2)));
      case uint32:
        return this.#step(5, bytes.readUInt32BE(this.#within(1, 4)));
      case uint64:
        return this.#step(9, integerOf(bytes.readBigUInt64BE(this.#within(1, 8))));
      case int8:
        return this.#step(2, bytes.readInt8(this.#within(1, 1)));
      case int16:
        return this.#step(3, bytes.readInt16BE(this.#within(1, 2)));
      case int32:
        return this.#step(5, bytes.readInt32BE(this.#within(1, 4)));
      case int64:
        return this.#step(9, integerOf(bytes.readBigInt64BE(this.#within(1, 8))));
      default:
        throw fault(foreignType);
    }
  }

  #step<T>(size: number, value: T): T {
    this.#at += size;
    return value;
  }

  /** Where `size` bytes begin behind the type and what precedes them; all of them are there. */
  #within(offset: number, size: number): number {
    const from = this.#at + offset;
    if (from + size > this.#bytes.length) throw fault(malformed);
    return from;
  }

  #text(head: number, length: number): string {
    const from = this.#within(head, length);
    const bytes = this.#bytes.subarray(from, from + length);
    if (!isUtf8(bytes)) throw fault('A text of the frame is not valid UTF-8.');
    return this.#step(head + length, bytes.toString('utf8'));
  }

  /** As in JSON, which has no other numbers (docs/rules/http.md "Bodies"). */
  #float(size: number, value: number): number {
    if (!Number.isFinite(value) || Object.is(value, -0))
      throw fault('A number of the frame is not finite, or a negative zero.');
    return this.#step(size, value);
  }
}

function integerOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function fault(message: string): PublicError {
  return new PublicError('invalid_request', message);
}

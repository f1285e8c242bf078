/**
 * Secret of this process for tables over callers' texts: texts that collide cannot be made up. State and
 * outcomes never depend on it: rows and keys are numbered in order of appearance.
 */
export interface TableSecret {
  readonly low: number;
  readonly high: number;
}

/** HalfSipHash-1-3 (Aumasson and Bernstein) over a brand's number and the text's code units; signed. */
export function playerHash({ low, high }: TableSecret, brand: number, player: string): number {
  let v0 = low;
  let v1 = high;
  let v2 = low ^ 0x6c796765;
  let v3 = high ^ 0x74656462;
  const { length } = player;
  // The word at −2 is the brand; the last one has the rest of the text and its length.
  for (let at = -2; at <= length; at += 2) {
    let word: number;
    if (at < 0) word = brand;
    else if (at + 1 < length) word = player.charCodeAt(at) | (player.charCodeAt(at + 1) << 16);
    else word = (length << 24) ^ (at < length ? player.charCodeAt(at) : 0);
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  v2 ^= 0xff;
  for (let round = 0; round < 3; round++) {
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  }
  return v1 ^ v3;
}

/** No hash: it has more bits. */
export const notAscii = 2 ** 32;

/**
 * As `playerHash`, from UTF-8; `notAscii` where a byte is not. A text costs more to make than to hash, and a
 * restored lane hashes a million.
 */
export function asciiPlayerHash(
  { low, high }: TableSecret,
  brand: number,
  bytes: Uint8Array,
  from: number,
  length: number,
): number {
  let v0 = low;
  let v1 = high;
  let v2 = low ^ 0x6c796765;
  let v3 = high ^ 0x74656462;
  let all = 0;
  for (let at = -2; at <= length; at += 2) {
    let word: number;
    if (at < 0) word = brand;
    else if (at + 1 < length) {
      all |= bytes[from + at]! | bytes[from + at + 1]!;
      word = bytes[from + at]! | (bytes[from + at + 1]! << 16);
    } else if (at < length) {
      all |= bytes[from + at]!;
      word = (length << 24) ^ bytes[from + at]!;
    } else word = length << 24;
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  if (all > 0x7f) return notAscii;
  v2 ^= 0xff;
  for (let round = 0; round < 3; round++) {
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  }
  return v1 ^ v3;
}

/** Hashes the first two words of an idempotency key. A digest only needs mixing under the secret; signed. */
export function keyHash({ low, high }: TableSecret, first: number, second: number): number {
  let hash = Math.imul(first ^ low, high | 1) ^ Math.imul(second ^ high, low | 1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return hash ^ (hash >>> 15);
}
